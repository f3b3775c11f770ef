//! Every kind of mistake: its field, its line, its words.

use super::{SCENE, error_of};

/// What is replaced in the scene, by what, and the only problem expected.
#[rustfmt::skip] // one case a line
const CASES: &[(&str, &str, &str)] = &[
    // Types, ranges and names.
    ("spacing = 0.1", "spaceing = 0.1", "line 2: spaceing = 0.1: unknown field; did you mean `spacing`?"),
    ("steps_per_frame = 4", "steps_per_frame = 4\nqqqq = 1", "line 7: time.qqqq = 1: unknown field; known: `cfl`, `dt`, `fps`"),
    ("spacing = 0.1", "", "spacing: missing; expected a number"),
    ("frames = 10", "", "line 4: time.frames: missing; expected a whole number"),
    ("spacing = 0.1", "spacing = \"abc\"", "line 2: spacing = \"abc\": expected a number, found the string \"abc\""),
    ("spacing = 0.1", "spacing = true", "line 2: spacing = true: expected a number, found true"),
    ("spacing = 0.1", "spacing = 1979-05-27", "line 2: spacing = 1979-05-27: expected a number, found the date 1979-05-27"),
    ("spacing = 0.1", "spacing = nan", "line 2: spacing = nan: must be a finite number"),
    ("spacing = 0.1", "spacing = -inf", "line 2: spacing = -inf: must be a finite number"),
    ("spacing = 0.1", "spacing = 0", "line 2: spacing = 0: must be between 1e-6 and 100"),
    ("frames = 10", "frames = 1.5", "line 5: time.frames = 1.5: expected a whole number, found the number 1.5"),
    ("frames = 10", "frames = 99999999999999999999", "line 5: time.frames = 1e20: expected a whole number, found the number 1e20"),
    ("frames = 10", "frames = 0", "line 5: time.frames = 0: must be between 1 and 10000000"),
    ("tolerance = 1e-3", "tolerance = 5", "line 9: solver.tolerance = 5: must be between 1e-12 and 1"),
    ("tolerance = 1e-3", "velocity_solver = \"cgg\"", "line 9: solver.velocity_solver = \"cgg\": expected \"cg\", \"chebyshev\" or \"jacobi\", found the string \"cgg\"; did you mean \"cg\"?"),
    ("tolerance = 1e-3", "corrections = [\"masses\"]", "line 9: solver.corrections: only for solver.formulation = \"printed\""),
    ("tolerance = 1e-3", "length_unit = 0.1", "line 9: solver.length_unit = 0.1: only for solver.formulation = \"printed\""),
    ("tolerance = 1e-3", "length_unit = 0", "line 9: solver.length_unit = 0: must be between"),
    ("tolerance = 1e-3", "formulation = \"printed\"\ncorrections = [\"mases\"]", "line 10: solver.corrections[0] = \"mases\": expected"),
    ("tolerance = 1e-3", "corotational = 1", "line 9: solver.corotational = 1: expected true or false, found the number 1"),
    ("spacing = 0.1", "spacing = 0.1\nmethod = \"lbm\"", "line 3: method = \"lbm\": expected \"dcpbd\", \"coupled\", \"velocity_correction\", \"pbf\", \"sph\", \"mps\", \"springs\", \"shape_matching\" or \"maxwell\", found the string \"lbm\""),
    ("spacing = 0.1", "spacing = 0.1\nseed = -1", "line 3: seed = -1: must be at least 0"),
    ("spacing = 0.1", "spacing = 0.1\ngravity = [0, 1]", "line 3: gravity = [0, 1]: must have 3 entries, has 2"),
    ("spacing = 0.1", "spacing = 0.1\ngravity = [0,\n1e5,\n0]", "line 4: gravity[1] = 100000: must be between -10000 and 10000"),
    ("spacing = 0.1", "spacing = 0.1\ngravity = 9.81", "line 3: gravity = 9.81: expected an array of 3, found the number 9.81"),
    ("name = \"test\"", "name = \"\"", "line 1: name = \"\": must have between 1 and 100 characters, has 0"),
    ("name = \"test\"", "name = \"../up\"", "line 1: name = \"../up\": names a folder"),
    ("name = \"test\"", "name = \"..\"", "line 1: name = \"..\": names a folder"),
    ("friction = 0.5", "friction = \"slipp\"", "line 36: boundary[0].friction = \"slipp\": expected \"slip\", \"no_slip\" or a number, found the string \"slipp\"; did you mean \"slip\"?"),
    ("friction = 0.5", "friction = -1", "line 36: boundary[0].friction = -1: must be between 0 and 100"),
    ("friction = 0.5", "friction = {}", "line 36: boundary[0].friction = {}: expected \"slip\", \"no_slip\" or a number, found a table"),
    ("friction = 0.5", "friction = 0.5\nlook = \"porcelan\"", "line 37: boundary[0].look = \"porcelan\": unknown look; did you mean `porcelain`?"),
    ("side = \"outside\"", "side = \"inside\"", "line 35: boundary[0].side = \"inside\": a plane has no inside"),
    ("{ disc = ", "{ disk = ", "line 27: emitter[0].nozzle.disk = { radius = 0.2 }: unknown; did you mean `disc`?"),
    ("{ box = { min", "{ bix = { min", "line 22: fluid[0].shape.bix = { max = [1, 1, 1], min = [0, 0, 0] }: unknown; did you mean `box`?"),
    ("shape = { box = { min = [0, 0, 0], max = [1, 1, 1] } }", "shape = {}", "line 22: fluid[0].shape = {}: must hold exactly one of box, capsule, cone, cylinder, mesh, plane, sphere"),
    ("max = [1, 1, 1] } }", "max = [1, 1, 1] }, sphere = {} }", "line 22: fluid[0].shape = { box = { max = [1, 1, 1], min = [0, 0, 0] }, sphere = {} }: must hold exactly one of"),
    ("shape = { box = { min = [0, 0, 0], max = [1, 1, 1] } }", "shape = \"box\"", "line 22: fluid[0].shape = \"box\": expected { plane = … }, { box = … }, { sphere = … }, { cylinder = … }, { cone = … }, { capsule = … } or { mesh = … }, found the string \"box\""),
    ("box = { min = [0, 0, 0], ", "box = { ", "line 22: fluid[0].shape.box.min: missing; expected an array of 3"),
    ("[0, 1, 0], degrees = 30", "[0, 1, 0], degrees = 361", "line 23: fluid[0].rotate.degrees = 361: must be between -360 and 360"),
    ("degrees = 30", "degrees = 30, about = [0, 1e7, 0]", "line 23: fluid[0].rotate.about[1] = 10000000: must be between -1000000 and 1000000"),
    // Time.
    ("steps_per_frame = 4", "", "line 4: time: needs exactly one of steps_per_frame, dt and cfl; none is given"),
    ("steps_per_frame = 4", "steps_per_frame = 4\ndt = 0.001", "line 4: time: needs exactly one of steps_per_frame, dt and cfl; steps_per_frame and dt are given"),
    ("steps_per_frame = 4", "dt = 0.5\nfps = 50", "line 6: time.dt = 0.5: longer than a frame, which takes 0.02 s at fps = 50"),
    // Materials.
    ("[[fluid]]", "[[material]]\nname = \"honey\"\nviscosity = 1\n[[fluid]]", "line 21: material[2].name = \"honey\": is the name of material[0] too"),
    ("viscosity = 10", "", "line 11: material[0]: needs one of preset, viscosity and shear_modulus"),
    ("viscosity = 10", "preset = \"hony\"", "line 13: material[0].preset = \"hony\": unknown preset; did you mean `honey`?"),
    ("viscosity = 10", "preset = \"concrete\"", "line 13: material[0].preset = \"concrete\": unknown preset; known: `egg-white`, `golden-syrup`, `guar-gum`, `honey`,"),
    ("viscosity = 10", "viscosity = 10\nlook = \"hony\"", "line 14: material[0].look = \"hony\": unknown look; did you mean `honey`?"),
    ("viscosity = 10", "viscosity = 10\ncompliance = 1", "line 14: material[0].compliance = 1: only for solver.formulation = \"printed\""),
    ("viscosity = 10", "viscosity = 10\nconnections = { correction = 0.3 }", "line 14: material[0].connections.correction = 0.3: must be between 0 and 0.2"),
    ("viscosity = 10", "viscosity = 10\nconnections = { weakening = -1 }", "line 14: material[0].connections.weakening = -1: must be between 0 and 1000000"),
    ("viscosity = 10", "viscosity = 10\nconnections = { merge_distance = 1.5 }", "line 14: material[0].connections.merge_distance = 1.5: must be between 0.01 and 1"),
    ("viscosity = 10", "viscosity = 10\nconnections = { yield_extension = nan }", "line 14: material[0].connections.yield_extension = nan: must be a finite number"),
    ("viscosity = 10", "viscosity = 10\nconnections = { corection = 0.1 }", "line 14: material[0].connections.corection = 0.1: unknown field; did you mean `correction`?"),
    ("viscosity = 10", "viscosity = 10\nconnections = { least_correction = 0.01 }", "line 14: material[0].connections.least_correction = 0.01: must be at most the correction, 0.001"),
    ("viscosity = 10", "viscosity = 10\nsprings = { stiffness = -1 }", "line 14: material[0].springs.stiffness = -1: must be between 0 and 1e12"),
    ("viscosity = 10", "viscosity = 10\nsprings = { stiffness = 1, plasticity = nan }", "line 14: material[0].springs.plasticity = nan: must be a finite number"),
    ("viscosity = 10", "viscosity = 10\nsprings = { stiffness = 1, yield_ratio = 11 }", "line 14: material[0].springs.yield_ratio = 11: must be between 0 and 10"),
    ("viscosity = 10", "viscosity = 10\nsprings = { stifness = 1 }", "line 14: material[0].springs.stifness = 1: unknown field; did you mean `stiffness`?"),
    ("viscosity = 10", "viscosity = 10\nsprings = { yield_ratio = 0.2 }", "line 14: material[0].springs.stiffness: missing; without a relaxation_time there is no shear modulus to take it from"),
    ("viscosity = 10", "viscosity = 10\nshape_matching = { weight = 1.5 }", "line 14: material[0].shape_matching.weight = 1.5: must be between 0 and 1"),
    ("viscosity = 10", "viscosity = 10\nshape_matching = { weight = 0.5, cluster_radius = 1 }", "line 14: material[0].shape_matching.cluster_radius = 1: must be between 1.1 and 4"),
    ("viscosity = 10", "viscosity = 10\nshape_matching = { weight = 0.5, yield_strain = -0.1 }", "line 14: material[0].shape_matching.yield_strain = -0.1: must be between 0 and 10"),
    ("viscosity = 10", "viscosity = 10\nshape_matching = {}", "line 14: material[0].shape_matching.weight: missing; without a relaxation_time there is no shear modulus to take it from"),
    ("viscosity = 10", "viscosity = 10\nconnections = { split_distance = 0.5 }", "line 14: material[0].connections.split_distance = 0.5: must be at least the merge_distance, 1"),
    ("viscosity = 10", "compliance = 1", "line 13: material[0].compliance = 1: only for solver.formulation = \"printed\""),
    ("shear_modulus = 1e4", "shear_modulus = 1e4\nviscosity = 5", "line 17: material[1].shear_modulus = 10000: give viscosity or shear_modulus, not both"),
    ("relaxation_time = 2", "", "line 17: material[1].shear_modulus = 10000: needs a relaxation_time above 0"),
    ("relaxation_time = 2", "relaxation_time = 0", "line 17: material[1].shear_modulus = 10000: needs a relaxation_time above 0"),
    ("viscosity = 10", "viscosity = 10\nsolvent_viscosity = 11", "line 14: material[0].solvent_viscosity = 11: must be at most the viscosity, 10"),
    ("viscosity = 10", "viscosity = inf\nrelaxation_time = 1", "line 14: material[0].relaxation_time = 1: must be 0 where viscosity = inf"),
    ("viscosity = 10", "preset = \"slime\"\nviscosity = inf", "line 11: material[0].relaxation_time = 0.3: must be 0 where viscosity = inf"),
    ("viscosity = 10", "viscosity = 0\nrelaxation_time = 1", "line 14: material[0].relaxation_time = 1: must be 0 where nothing relaxes: the solvent's viscosity is 0 of 0"),
    ("viscosity = 10", "viscosity = 10\nsolvent_viscosity = 10\nrelaxation_time = 1", "line 15: material[0].relaxation_time = 1: must be 0 where nothing relaxes: the solvent's viscosity is 10 of 10"),
    ("viscosity = 10", "preset = \"water\"\nsolvent_viscosity = 0.01", "line 14: material[0].solvent_viscosity = 0.01: must be at most the viscosity, 0.001002"),
    ("viscosity = 10", "preset = \"slime\"\nviscosity = 1e-5", "line 14: material[0].viscosity = 1e-5: must be at least the preset's solvent_viscosity, 0.001; or give both"),
    ("shear_modulus = 1e4", "shear_modulus = 0", "line 17: material[1].shear_modulus = 0: must be above 0 where there is a relaxation_time"),
    ("viscosity = 10", "viscosity = -10", "line 13: material[0].viscosity = -10: must be at least 0"),
    ("viscosity = 10", "viscosity = 10\nsolvent_viscosity = -1", "line 14: material[0].solvent_viscosity = -1: must be between 0 and 1e15"),
    ("viscosity = 10", "viscosity = 10\nsurface_tension = -0.07", "line 14: material[0].surface_tension = -0.07: must be between 0 and 10"),
    ("viscosity = 10", "viscosity = 10\nsurface_tension = 72.8", "line 14: material[0].surface_tension = 72.8: must be between 0 and 10"),
    ("viscosity = 10", "viscosity = 10\ndensity = -1", "line 14: material[0].density = -1: must be between 0.01 and 1000000"),
    ("relaxation_time = 2", "relaxation_time = -2", "line 18: material[1].relaxation_time = -2: must be between 0 and 1e9"),
    ("shear_modulus = 1e4", "shear_modulus = -1e4", "line 17: material[1].shear_modulus = -10000: must be between 0 and 1e15"),
    ("viscosity = 10", "viscosity = nan", "line 13: material[0].viscosity = nan: must be a finite number"),
    ("viscosity = 10", "viscosity = 10\ndensity = inf", "line 14: material[0].density = inf: must be a finite number"),
    // What single precision cannot carry.
    ("viscosity = 10", "viscosity = 1e12", "line 13: material[0].viscosity = 1e12: too stiff for single precision in steps of 0.0083 s; at most 1.2e9, or a time step of 1e-5 s, or viscosity = inf for a rigid body"),
    ("viscosity = 10", "viscosity = 1e300", "line 13: material[0].viscosity = 1e300: too stiff for single precision in steps of 0.0083 s; at most 1.2e9, or viscosity = inf"),
    ("shear_modulus = 1e4\nrelaxation_time = 2", "shear_modulus = 1e12\nrelaxation_time = 1e9", "line 17: material[1].shear_modulus = 1e12: too stiff for single precision in steps of 0.0083 s; at most 1.4e11, or a time step of 0.0012 s"),
    // Fluids and shapes.
    ("material = \"honey\"", "material = \"hony\"", "line 21: fluid[0].material = \"hony\": unknown material; did you mean `honey`?"),
    ("material = \"jelly\"", "material = \"steel\"", "line 26: emitter[0].material = \"steel\": unknown material; known: `honey`, `jelly`"),
    ("max = [1, 1, 1]", "max = [1, 0.05, 1]", "line 22: fluid[0].shape.box.max[1] = 0.05: must be above min[1] = 0 by at least one spacing, 0.1"),
    ("max = [1, 1, 1]", "max = [1, 1, -1]", "line 22: fluid[0].shape.box.max[2] = -1: must be above min[2] = 0"),
    ("box = { min = [0, 0, 0], max = [1, 1, 1] }", "sphere = { center = [0, 0, 0], radius = 0.04 }", "line 22: fluid[0].shape.sphere.radius = 0.04: must be at least half a spacing, 0.05"),
    ("box = { min = [0, 0, 0], max = [1, 1, 1] }", "cylinder = { start = [0, 0, 0], end = [1, 0, 0], radius = 0.04 }", "line 22: fluid[0].shape.cylinder.radius = 0.04: must be at least half a spacing"),
    ("box = { min = [0, 0, 0], max = [1, 1, 1] }", "cylinder = { start = [1, 2, 3], end = [1, 2, 3], radius = 1 }", "line 22: fluid[0].shape.cylinder.end = [1, 2, 3]: must lie away from start = [1, 2, 3]"),
    ("box = { min = [0, 0, 0], max = [1, 1, 1] }", "plane = { point = [0, 0, 0], normal = [0, 1, 0] }", "line 22: fluid[0].shape.plane: a fluid needs a volume"),
    ("box = { min = [0, 0, 0], max = [1, 1, 1] }", "cone = { start = [0, 0, 0], end = [1, 0, 0], start_radius = 0, end_radius = 0.04 }", "line 22: fluid[0].shape.cone.end_radius = 0.04: must be at least half a spacing"),
    ("box = { min = [0, 0, 0], max = [1, 1, 1] }", "cone = { start = [0, 0, 0], end = [0, 0, 0], start_radius = 1, end_radius = 0 }", "line 22: fluid[0].shape.cone.end = [0, 0, 0]: must lie away from start"),
    ("box = { min = [0, 0, 0], max = [1, 1, 1] }", "cone = { start = [0, 0, 0], end = [1, 0, 0], start_radius = -1, end_radius = 1 }", "line 22: fluid[0].shape.cone.start_radius = -1: must be between 0 and 1000000"),
    ("box = { min = [0, 0, 0], max = [1, 1, 1] }", "capsule = { start = [0, 0, 0], end = [1, 0, 0], radius = 0.04 }", "line 22: fluid[0].shape.capsule.radius = 0.04: must be at least half a spacing"),
    ("box = { min = [0, 0, 0], max = [1, 1, 1] }", "capsule = { start = [0, 0, 0], end = [0, 0, 0], radius = 1 }", "line 22: fluid[0].shape.capsule.end = [0, 0, 0]: must lie away from start = [0, 0, 0]; or take a sphere"),
    ("box = { min = [0, 0, 0], max = [1, 1, 1] }", "mesh = {}", "line 22: fluid[0].shape.mesh: needs one of path (a file) and made (a mesh that visco makes)"),
    ("box = { min = [0, 0, 0], max = [1, 1, 1] }", "mesh = { path = 'a.obj', made = 'bowl' }", "line 22: fluid[0].shape.mesh.path = \"a.obj\": give path or made, not both"),
    ("box = { min = [0, 0, 0], max = [1, 1, 1] }", "mesh = { path = '' }", "line 22: fluid[0].shape.mesh.path = \"\": must have between 1 and 4096 characters"),
    ("box = { min = [0, 0, 0], max = [1, 1, 1] }", "mesh = { made = 'bowll' }", "line 22: fluid[0].shape.mesh.made = \"bowll\": expected \"bowl\", \"cornet\", \"waffle\""),
    ("box = { min = [0, 0, 0], max = [1, 1, 1] }", "mesh = { made = 'letters' }", "line 22: fluid[0].shape.mesh.text: missing; made = \"letters\" needs what they spell"),
    ("box = { min = [0, 0, 0], max = [1, 1, 1] }", "mesh = { made = 'bowl', text = 'A' }", "line 22: fluid[0].shape.mesh.text = \"A\": only for made = \"letters\""),
    ("box = { min = [0, 0, 0], max = [1, 1, 1] }", "mesh = { made = 'letters', text = 'A?' }", "line 22: fluid[0].shape.mesh.text = \"A?\": has '?'; letters A to Z, digits, spaces and - + ! . are known"),
    ("box = { min = [0, 0, 0], max = [1, 1, 1] }", "mesh = { made = 'letters', text = '  ' }", "line 22: fluid[0].shape.mesh.text = \"  \": must hold more than spaces"),
    ("box = { min = [0, 0, 0], max = [1, 1, 1] }", "mesh = { made = 'bowl', size = 1, scale = 2 }", "line 22: fluid[0].shape.mesh.scale = 2: give size (here 1) or scale, not both"),
    ("box = { min = [0, 0, 0], max = [1, 1, 1] }", "mesh = { made = 'bowl', size = 0.05 }", "line 22: fluid[0].shape.mesh.size = 0.05: must be at least one spacing, 0.1"),
    ("box = { min = [0, 0, 0], max = [1, 1, 1] }", "mesh = { made = 'bowl', scale = 0 }", "line 22: fluid[0].shape.mesh.scale = 0: must be between 1e-9 and 1e9"),
    ("box = { min = [0, 0, 0], max = [1, 1, 1] }", "mesh = { made = 'bowl', center = [0, 0, 0], translate = [1, 0, 0] }", "line 22: fluid[0].shape.mesh.translate = [1, 0, 0]: give center or translate, not both"),
    ("axis = [0, 1, 0]", "axis = [0, 0, 0]", "line 23: fluid[0].rotate.axis = [0, 0, 0]: must not be zero"),
    ("spacing = 0.1", "spacing = 0.1\nperiodic = { axes = [\"x\"], min = [0, 0, 0], max = [0.4, 0, 0] }", "line 3: periodic.max = [0.4, 0, 0]: along X the box is 4 spacings wide; it must be a whole number of them, at least 6"),
    ("spacing = 0.1", "spacing = 0.1\nperiodic = { axes = [\"z\"], min = [0, 0, 0], max = [0, 0, 0.95] }", "line 3: periodic.max = [0, 0, 0.95]: along Z the box is 9.5 spacings wide"),
    ("spacing = 0.1", "spacing = 0.1\nperiodic = { axes = [\"w\"], min = [0, 0, 0], max = [1, 1, 1] }", "line 3: periodic.axes[0] = \"w\": expected"),
    ("normal = [0, 1, 0] } }", "normal = [0, 1, 0] } }\nvelocity = [1, 0.5, 0]", "line 35: boundary[0].velocity = [1, 0.5, 0]: only a plane that is not turned"),
    ("normal = [0, 1, 0]", "normal = [0, 0, 0]", "line 34: boundary[0].shape.plane.normal = [0, 0, 0]: must not be zero"),
    ("plane = { point = [0, 0, 0], normal = [0, 1, 0] }", "box = { min = [0, 0, 0], max = [1, 0, 1] }", "line 34: boundary[0].shape.box.max[1] = 0: must be above min[1] = 0"),
    ("normal = [0, 1, 0] } }", "normal = [0, 1, 0] } }\nfrequency = 2", "line 35: boundary[0].frequency = 2: needs a velocity other than 0"),
    ("normal = [0, 1, 0] } }", "normal = [0, 1, 0] } }\nvelocity = [1, 0, 0]\nfrequency = -2", "line 36: boundary[0].frequency = -2: must be between 0 and 1e9"),
    ("normal = [0, 1, 0] } }", "normal = [0, 1, 0] } }\nactive = [[0, 1]]", "line 35: boundary[0].active: needs a velocity other than 0"),
    ("normal = [0, 1, 0] } }", "normal = [0, 1, 0] } }\nvelocity = [1, 0, 0]\nactive = [[2, 1]]", "line 36: boundary[0].active[0] = [2, 1]: must end after it starts"),
    // Grips.
    ("[[boundary]]", "[[grip]]\nshape = { plane = { point = [0, 0, 0], normal = [0, 1, 0] } }\n[[boundary]]", "line 34: grip[0].shape.plane: a grip needs a volume"),
    ("[[boundary]]", "[[grip]]\nshape = { box = { min = [0, 0, 0], max = [1, 0, 1] } }\n[[boundary]]", "line 34: grip[0].shape.box.max[1] = 0: must be above min[1] = 0"),
    ("[[boundary]]", "[[grip]]\nshape = { sphere = { center = [0, 0, 0], radius = 1 } }\nhold = \"along\"\n[[boundary]]", "line 33: grip[0].axis: missing; hold = \"along\" and stretch need a direction"),
    ("[[boundary]]", "[[grip]]\nshape = { sphere = { center = [0, 0, 0], radius = 1 } }\naxis = [0, 0, 0]\n[[boundary]]", "line 35: grip[0].axis = [0, 0, 0]: must not be zero"),
    ("[[boundary]]", "[[grip]]\nshape = { sphere = { center = [0, 0, 0], radius = 1 } }\nstretch = { rate = 1 }\naxis = [0, 1, 0]\n[[boundary]]", "line 35: grip[0].stretch.about: missing"),
    ("[[boundary]]", "[[grip]]\nshape = { sphere = { center = [0, 0, 0], radius = 1 } }\nhold = \"some\"\n[[boundary]]", "line 35: grip[0].hold = \"some\": expected \"all\" or \"along\""),
    // Emitters and camera.
    ("speed = 0.5", "", "line 25: emitter[0]: needs exactly one of speed and flow_rate"),
    ("speed = 0.5", "speed = 0.5\nflow_rate = 1", "line 31: emitter[0].flow_rate = 1: give speed or flow_rate, not both"),
    ("radius = 0.2", "radius = 0.04", "line 27: emitter[0].nozzle.disc.radius = 0.04: must be at least half a spacing, 0.05"),
    ("direction = [0, -1, 0]", "direction = [0, 0, 0]", "line 29: emitter[0].direction = [0, 0, 0]: must not be zero"),
    ("[[0, 1], [2, 3]]", "[[0, 1], [0.5, 3]]", "line 31: emitter[0].active[1] = [0.5, 3]: must start at 1 or later"),
    ("[[0, 1], [2, 3]]", "[[2, 3], [0, 1]]", "line 31: emitter[0].active[1] = [0, 1]: must start at 3 or later"),
    ("[[0, 1], [2, 3]]", "[[1, 1]]", "line 31: emitter[0].active[0] = [1, 1]: must end after it starts"),
    ("[[0, 1], [2, 3]]", "[[0, inf]]", "line 31: emitter[0].active[0][1] = inf: must be a finite number"),
    ("[[0, 1], [2, 3]]", "[[0, 1, 2]]", "line 31: emitter[0].active[0] = [0, 1, 2]: must have 2 entries, has 3"),
    ("position = [0, 1, 5]", "position = [0, 0, 0]", "line 40: camera.target = [0, 0, 0]: must differ from the camera's position"),
    // Variants and size.
    ("spacing = 0.2", "spaceing = 0.2", "line 43: spaceing = 0.2: unknown field; did you mean `spacing`?"),
    ("spacing = 0.2", "quality = \"small\"", "line 43: variant.small.quality = \"small\": a variant cannot choose a variant"),
    ("[variant.small]", "[variant.full]", "line 42: variant.full: `full` is the scene without a variant"),
    ("[variant.small]\nspacing = 0.2\ntime.frames = 5", "[variant]\nsmall = 3", "line 43: variant.small = 3: expected a table, found the number 3"),
    ("[variant.small]\nspacing = 0.2\ntime.frames = 5", "[[variant]]", "line 42: variant = [{}]: expected a table, found an array of 1"),
    ("spacing = 0.1", "spacing = 0.1\nquality = \"smal\"", "line 3: quality = \"smal\": unknown quality; known: `full`, `small`"),
    ("spacing = 0.1", "spacing = 0.1\nquality = 3", "line 3: quality = 3: expected a string, found the number 3"),
    ("spacing = 0.1", "spacing = 0.0001", "line 2: spacing = 0.0001: gives about 1.0e12 particles, and at most 4294967294 are possible; a spacing of 4.7e-3 gives about 10 million"),
];

#[test]
fn each_mistake_is_named_with_its_field_line_and_remedy() {
    let mut wrong = Vec::new();
    for (old, new, expected) in CASES {
        assert!(SCENE.contains(old), "the scene has no `{old}`");
        let error = error_of(&SCENE.replacen(old, new, 1), &[]);
        let found = error.to_string();
        if error.problems.len() != 1 || !found.starts_with(expected) {
            wrong.push(format!("{new}\nexpected: {expected}\nfound:    {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn what_is_said_to_be_stiff_enough_passes() {
    for viscosity in ["1.2e9", "inf"] {
        let scene = super::read_with(SCENE, &[&format!("material.honey.viscosity={viscosity}")]);
        assert!(scene.is_ok(), "{viscosity}: {scene:?}");
    }
    let sets = ["material.honey.viscosity=1e12", "time={ frames = 10, dt = 1e-5 }"];
    assert!(super::read_with(SCENE, &sets).is_ok());
    // In steps much shorter than its relaxation time a material is as stiff as its modulus, whatever its viscosity.
    let sets = ["material.jelly.relaxation_time=1e9", "material.jelly.shear_modulus=1e9"];
    assert!(super::read_with(SCENE, &sets).is_ok());
}

#[test]
fn the_printed_formulation_takes_compliance_alone() {
    let text = SCENE.replace("tolerance = 1e-3", "formulation = \"printed\"");
    let error = error_of(&text, &[]);
    let fields: Vec<&str> = error.problems.iter().map(|p| p.field.as_str()).collect();
    let expected = [
        "material[0].compliance",
        "material[0].viscosity",
        "material[1].compliance",
        "material[1].shear_modulus",
    ];
    assert_eq!(fields, expected, "{error}");
    let text =
        text.replace("viscosity = 10", "compliance = 0.5").replace("shear_modulus = 1e4", "compliance = 0.1");
    assert!(super::Scene::from_toml(&text).is_ok());
    for refused in ["preset = \"honey\"", "solvent_viscosity = 1"] {
        let error = error_of(&text.replace("compliance = 0.5", &format!("compliance = 0.5\n{refused}")), &[]);
        assert!(error.to_string().contains("not used by solver.formulation"), "{error}");
    }
}

#[test]
fn a_scene_without_fluid_is_refused() {
    let start = SCENE.find("[[fluid]]").expect("a fluid");
    let end = SCENE.find("[[boundary]]").expect("a boundary");
    let error = error_of(&format!("{}{}", &SCENE[..start], &SCENE[end..]), &[]);
    assert_eq!(
        error.to_string(),
        "fluid: the scene needs at least one `[[fluid]]`, `[[emitter]]` or `[[body]]`"
    );
}

#[test]
fn all_problems_are_reported_at_once_in_order() {
    let text = SCENE
        .replace("frames = 10", "frames = \"ten\"")
        .replace("max = [1, 1, 1]", "max = [1, 1, 0]")
        .replace("spacing = 0.1", "spacing = 0.1\nspeed = 3")
        .replace("direction = [0, -1, 0]", "direction = [0, 0, 0]")
        .replace("viscosity = 10", "viscosity = -1\ncolour = \"gold\"");
    let error = error_of(&text, &["camera.fov=0"]);
    let places: Vec<(Option<usize>, &str)> =
        error.problems.iter().map(|p| (p.line, p.field.as_str())).collect();
    let expected = [
        (Some(3), "speed"),
        (Some(6), "time.frames"),
        (Some(14), "material[0].viscosity"),
        (Some(15), "material[0].colour"),
        (Some(24), "fluid[0].shape.box.max[2]"),
        (Some(31), "emitter[0].direction"),
        (None, "camera.fov"),
    ];
    assert_eq!(places, expected, "{error}");
    assert_eq!(error.to_string().lines().count(), expected.len());
}

#[test]
fn no_message_spans_lines() {
    let text = SCENE.replace("spacing = 0.1", "spacing = \"a\\nb\"\n\"k\\ny\" = \"\"\"x\ny\"\"\"");
    let error = error_of(&text, &["description=[\"\"\"a\nb\"\"\"]"]);
    assert_eq!(error.problems.len(), 3, "{error}");
    assert_eq!(error.display_with("a.toml").lines().count(), 3, "{error}");
}

#[test]
fn settings_of_mps_have_their_ranges() {
    for (set, allowed) in [
        ("solver.support=1.5", "1.9"),
        ("solver.elastic_share=-0.01", "0"),
        ("solver.viscous_share=11", "10"),
        ("solver.surface=1", "0.999"),
        ("solver.density_relaxation=2", "1"),
        ("solver.tolerance=0", "1e-7"),
        ("solver.longest_way=2", "1"),
    ] {
        let error = error_of(SCENE, &["method=mps", set]);
        let (field, value) = set.split_once('=').expect("a setting");
        let text = error.to_string();
        assert!(text.contains(field) && text.contains(value) && text.contains(allowed), "{text}");
    }
    let foreign = error_of(SCENE, &["method=mps", "solver.shifting=true"]);
    assert!(foreign.to_string().contains("solver.shifting"), "{foreign}");
    let rigid = error_of(SCENE, &["method=mps", "material.honey.viscosity=inf"]);
    assert!(rigid.to_string().contains("method = \"mps\" needs a finite viscosity"), "{rigid}");
}
