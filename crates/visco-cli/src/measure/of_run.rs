//! What the frames of a run say: coiling, volume, spread, pull.

use crate::args::MeasureRunArgs;
use crate::console::{self, Usage};
use crate::text;
use anyhow::Result;
use serde_json::{Map, Value, json};
use visco_figures::runs::{Column, Finding, RunError, RunReport, What, measure_run};

/// Frames that the table on the terminal shows at most.
const MOST_ROWS: usize = 12;

/// Measures a run, writes the course and prints it.
pub(super) fn measure(what: What, args: &MeasureRunArgs) -> Result<()> {
    let report = measure_run(what, &args.run).map_err(|error| match error {
        RunError::Read(_) | RunError::Write(_) => anyhow::Error::from(error),
        _ => Usage(error.to_string()).into(),
    })?;
    let files = report.save(what, &args.run)?;
    if args.json {
        console::print(as_json(what, args, &report))?;
        return Ok(());
    }
    for finding in &report.findings {
        console::print(line(finding))?;
    }
    console::print(format_args!("\n{}", table(&report.columns)))?;
    let count = text::counted(files.len() as u64, "file");
    console::print(format_args!("{count} written to {}", args.run.join("measure").display()))?;
    Ok(())
}

/// `frequency  2.03 ± 0.11 1/s`.
fn line(finding: &Finding) -> String {
    let name = finding.name.replace('_', " ");
    if finding.name == "direction" {
        let sense = if finding.value > 0.0 { "counter-clockwise" } else { "clockwise" };
        return format!("{name:26}{sense}, seen from above");
    }
    let scatter = finding.scatter.map_or(String::new(), |s| format!(" ± {}", text::short(s)));
    format!("{name:26}{}{scatter} {}", text::short(finding.value), finding.unit).trim_end().into()
}

/// The course over the frames, evenly chosen rows of it.
fn table(columns: &[Column]) -> String {
    let rows = columns[0].values.len();
    let chosen = rows.min(MOST_ROWS);
    let row = |k: usize| k * (rows - 1) / (chosen - 1).max(1);
    let heading = |c: &Column| match c.unit {
        "" => c.name.to_owned(),
        unit => format!("{} ({unit})", c.name),
    };
    let width = |c: &Column| heading(c).chars().count().max(10) + 2;
    let cells = |of: &dyn Fn(&Column) -> String| {
        columns.iter().map(|c| format!("{:>width$}", of(c), width = width(c))).collect::<String>()
    };
    let lines = (0..chosen).map(|k| cells(&|c| text::short(c.values[row(k)])));
    std::iter::once(cells(&heading)).chain(lines).collect::<Vec<_>>().join("\n")
}

fn as_json(what: What, args: &MeasureRunArgs, report: &RunReport) -> Value {
    let finding = |f: &Finding| {
        let value = json!({ "value": f.value, "scatter": f.scatter, "unit": f.unit });
        (f.name.to_owned(), value)
    };
    let findings: Map<String, Value> = report.findings.iter().map(finding).collect();
    let columns: Map<String, Value> =
        report.columns.iter().map(|c| (c.name.to_owned(), json!(c.values))).collect();
    json!({
        "measure": what.name(),
        "run": args.run.to_string_lossy(),
        "findings": findings,
        "frames": columns,
    })
}
