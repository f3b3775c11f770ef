//! Runs many experiments at once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};

/// Something that takes a while and does not need the others.
pub(crate) trait Task: Sync {
    /// What comes of it.
    type Outcome: Send;

    /// What the user reads while it runs.
    fn name(&self) -> String;

    /// A measure of its cost, beside the others.
    fn work(&self) -> f64;

    /// Does it, telling what part is done.
    fn run(&self, tell: &mut dyn FnMut(f64)) -> Self::Outcome;
}

/// A worker's news: the task, and what part of it is done.
type News = (usize, f64);

/// Runs the tasks on all cores, the dearest first, and returns their outcomes in order. `progress` is told the part of
/// the work that is done and the name of a task. Small worlds do not fill the cores by themselves; the engine's results
/// do not depend on the number of threads.
pub(crate) fn run_all<T: Task>(tasks: &[T], progress: &mut dyn FnMut(f64, &str)) -> Vec<T::Outcome> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(tasks.len());
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    order.sort_by(|&a, &b| tasks[b].work().total_cmp(&tasks[a].work()));
    let next = AtomicUsize::new(0);
    let (sender, news) = channel::<News>();
    let work = |sender: Sender<News>| {
        let mut done = Vec::new();
        while let Some(&k) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            // If nobody listens any more, the result still counts.
            let mut tell = |part| {
                let _ = sender.send((k, part));
            };
            done.push((k, tasks[k].run(&mut tell)));
            tell(1.0);
        }
        done
    };
    let mut outcomes: Vec<(usize, T::Outcome)> = std::thread::scope(|scope| {
        let start = |sender: Sender<News>| scope.spawn(|| work(sender));
        let handles: Vec<_> = (0..workers).map(|_| start(sender.clone())).collect();
        drop(sender);
        let total: f64 = tasks.iter().map(Task::work).sum();
        let mut parts = vec![0.0; tasks.len()];
        for (k, part) in news {
            parts[k] = part;
            let done: f64 = tasks.iter().zip(&parts).map(|(task, part)| part * task.work()).sum();
            progress(done / total, &tasks[k].name());
        }
        handles.into_iter().flat_map(|h| h.join().expect("an experiment does not panic")).collect()
    });
    outcomes.sort_by_key(|(k, _)| *k);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Task for u32 {
        type Outcome = u32;

        fn name(&self) -> String {
            self.to_string()
        }

        fn work(&self) -> f64 {
            f64::from(*self)
        }

        fn run(&self, tell: &mut dyn FnMut(f64)) -> u32 {
            tell(0.5);
            self * self
        }
    }

    #[test]
    fn outcomes_keep_the_order_of_the_tasks() {
        let mut last = 0.0;
        assert_eq!(run_all(&[3, 1, 4, 2], &mut |part, _| last = part), [9, 1, 16, 4]);
        assert!((last - 1.0_f64).abs() < 1e-12, "{last}");
        assert!(run_all::<u32>(&[], &mut |_, _| ()).is_empty());
    }
}
