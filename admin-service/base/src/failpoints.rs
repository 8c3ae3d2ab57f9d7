//! The points at which a test ends the service: before and after each step that leaves something on the disk.
//!
//! The shipped program sets no [`hook`], so [`at`] does nothing in it. A program of the tests sets one.

use std::sync::OnceLock;

/// What the points of this process call with their names.
static HOOK: OnceLock<fn(&str)> = OnceLock::new();

/// Has every point of this process call `reached` with its name. The first hook stays.
pub fn hook(reached: fn(&str)) {
    HOOK.get_or_init(|| reached);
}

macro_rules! points {
    ($($point:ident $name:literal,)*) => {
        /// One point.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Point {
            $(#[doc = concat!("`", $name, "`")] $point,)*
        }

        impl Point {
            /// All points, in the order in which a proposal meets them.
            pub const ALL: &[Point] = &[$(Point::$point,)*];

            /// The name by which it is switched on.
            pub fn name(self) -> &'static str {
                match self { $(Point::$point => $name,)* }
            }
        }
    };
}

points! {
    InitFolders "init.folders",
    InitManifestKey "init.manifest-key",
    InitTrust "init.trust",
    InitApproverKey "init.approver-key",
    InitApprovers "init.approvers",
    StartOpened "start.opened",
    StartBuiltins "start.builtins-recorded",
    StartReserve "start.reserve",
    StartMirrored "start.mirrored",
    HeadBefore "head.before",
    HeadPublished "head.published",
    IntakeBefore "intake.before",
    IntakeKept "intake.kept",
    IntakeRecorded "intake.recorded",
    IntakeMirrored "intake.mirrored",
    IntakeFaults "intake.faults-recorded",
    DiscoverBefore "discover.before",
    DiscoverMoved "discover.moved",
    DriveAssigned "drive.assigned",
    DriveMirrored "drive.mirrored",
    WaitRecorded "wait.recorded",
    ImplementBefore "implement.before",
    ImplementSource "implement.source-kept",
    ImplementTranscript "implement.transcript-kept",
    ImplementTrials "implement.trials-kept",
    ImplementRecorded "implement.recorded",
    ImplementMoved "implement.moved",
    GarbageRecorded "garbage.recorded",
    GarbageWanting "garbage.wanting",
    GarbageMoved "garbage.moved",
    ReviewBefore "review.before",
    ReviewWorkFolder "review.work-folder",
    ReviewCompiled "review.compiled",
    ReviewInspected "review.inspected",
    ReviewSource "review.source-kept",
    ReviewModule "review.module-kept",
    ReviewReport "review.report-kept",
    ReviewRecorded "review.recorded",
    ReviewMoved "review.moved",
    WantingBefore "wanting.before",
    WantingRecorded "wanting.recorded",
    WantingMoved "wanting.moved",
    WeighBefore "weigh.before",
    WeighReport "weigh.report-kept",
    WeighRecorded "weigh.recorded",
    DecideBefore "decide.before",
    DecideRecorded "decide.recorded",
    DecideReceipt "decide.receipt",
    InstallProposal "install.proposal-kept",
    InstallSource "install.source-kept",
    InstallReport "install.report-kept",
    InstallDecision "install.decision-kept",
    InstallModule "install.module-placed",
    InstallRecorded "install.recorded",
    PublishManifest "publish.manifest",
    PublishSignature "publish.signature",
    PublishProfile "publish.profile",
    DecideInstalled "decide.installed",
    DecideActivated "decide.activated",
    DecideSettled "decide.settled",
    DecideMirrored "decide.mirrored",
    RejectBefore "reject.before",
    RejectMoved "reject.moved",
    RejectMirrored "reject.mirrored",
    RemoveRecorded "remove.recorded",
    RemovePublished "remove.published",
    RemoveDropped "remove.modules-dropped",
    RemoveMirrored "remove.mirrored",
    ReceiptsKept "receipts.head-kept",
    ReceiptsPublished "receipts.head-published",
    AlarmRecorded "alarm.recorded",
    AcknowledgeRecorded "acknowledge.recorded",
    ActionBefore "action.before",
    ActionTaken "action.taken",
    ActionMirrored "action.mirrored",
    ActionDecided "action.decided",
    ActionRejected "action.rejected",
    ActionStarted "action.started",
    ActionKept "action.result-kept",
    ActionDone "action.done",
    PluginBefore "plugin.before",
    PluginPlaced "plugin.files-placed",
    PluginRecorded "plugin.recorded",
    PluginPublished "plugin.published",
    PluginGone "plugin.removal-recorded",
    PluginUnpublished "plugin.removal-published",
    DoorCertificate "door.certificate-kept",
    ScheduleBefore "schedule.before",
    ScheduleBegun "schedule.begun",
    ScheduleEnded "schedule.ended",
}

/// Tells the hook of a test's program that a point was reached.
pub fn at(point: Point) {
    if let Some(reached) = HOOK.get() {
        reached(point.name());
    }
}

/// Where a test makes the console fail while it draws. It leaves nothing behind, so no test kills the program there.
pub fn drawing() {
    if let Some(reached) = HOOK.get() {
        reached("console.draw");
    }
}

/// Where a test counts how often a process replays the journal from its first record.
pub fn replaying() {
    if let Some(reached) = HOOK.get() {
        reached("journal.replay");
    }
}
