//! The right to run, where several who think share a processor.

/// The right to run. Whoever works for long steps aside now and then.
pub trait Slot {
    /// To be called every few milliseconds: lets others have their turn if their time has come.
    fn yield_now(&self);

    /// Does work that cannot step aside, without holding a processor meanwhile: the system shares them out.
    fn outside(&self, work: &mut dyn FnMut());
}

/// For somebody who shares with nobody.
#[derive(Clone, Copy, Debug)]
pub struct Alone;

impl Slot for Alone {
    fn yield_now(&self) {}

    fn outside(&self, work: &mut dyn FnMut()) {
        work();
    }
}
