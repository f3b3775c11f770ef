//! Several frames at a time: while one is read, stitched together or written, on one thread, another has the others.

use super::check_room;
use super::index::Entry;
use super::room::Room;
use crate::args::MeshArgs;
use crate::interrupt;
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use visco::Frame;
use visco_io::layout::surface_name;
use visco_io::particles;
use visco_io::surfaces::SurfaceFormat;
use visco_surface::{Settings, Size, surface_of};

/// Most frames at a time.
const MOST: usize = 4;

/// A frame whose surface is not there.
pub(super) struct Job {
    pub(super) number: u32,
    pub(super) frame: PathBuf,
    /// The formats to write.
    pub(super) formats: Vec<SurfaceFormat>,
}

/// What became of a frame.
pub(super) enum Outcome {
    /// It has a surface, with these scalars.
    Made(Entry, Vec<String>),
    /// It cannot be read.
    Bad(anyhow::Error),
    /// Something else went wrong.
    Failed(anyhow::Error),
}

/// What all frames have in common.
pub(super) struct Workshop<'a> {
    pub(super) args: &'a MeshArgs,
    pub(super) settings: Settings,
    pub(super) folder: &'a Path,
    pub(super) room: Room,
}

impl Workshop<'_> {
    /// Makes the surfaces and tells of each as it comes, until all are done, the user wants an end, or `told` does.
    pub(super) fn run(&self, jobs: &[Job], mut told: impl FnMut(u32, Outcome) -> Result<()>) -> Result<()> {
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (send, receive) = mpsc::channel();
        let workers = thread::available_parallelism().map_or(1, usize::from).min(MOST).min(jobs.len());
        thread::scope(|scope| {
            for _ in 0..workers {
                let (next, stop, send) = (&next, &stop, send.clone());
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed) && !interrupt::requested() {
                        let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) else {
                            break;
                        };
                        if send.send((job.number, self.work(job))).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(send);
            let mut result = Ok(());
            for (number, outcome) in receive {
                if result.is_ok() {
                    result = told(number, outcome);
                }
                stop.fetch_or(result.is_err(), Ordering::Relaxed);
            }
            result
        })
    }

    fn work(&self, job: &Job) -> Outcome {
        let frame = match particles::read(&job.frame) {
            // The name counts: in USD a frame is found by its number.
            Ok(frame) => self.args.spaced(Frame { number: job.number, ..frame }),
            Err(error) => return Outcome::Bad(error.into()),
        };
        self.make(job, &frame).unwrap_or_else(Outcome::Failed)
    }

    fn make(&self, job: &Job, frame: &Frame) -> Result<Outcome> {
        let size = Size::of(frame);
        let _part = self.room.take(size.bytes(&self.settings));
        check_room(&self.settings, self.room.most, &[(job.number, size)])?;
        let made = surface_of(frame, &self.settings)?;
        for &format in &job.formats {
            made.write(&self.folder.join(surface_name(job.number, format)), format)?;
        }
        let scalars = made.scalars.iter().map(|s| s.name.clone()).collect();
        Ok(Outcome::Made(Entry::of(&made), scalars))
    }
}
