//! Giving up what the server does not need, so that a fault in it opens no door to the rest of the machine. Linux is
//! asked to see to that, by Landlock for files and connections and by seccomp for programs.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// What the server was found to be kept from when it tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confinement {
    /// Writing outside its folder.
    pub writing: bool,
    /// Starting programs.
    pub programs: bool,
}

impl Confinement {
    /// Gives up writing outside this folder, connecting to anybody, and starting programs, as far as the system can
    /// hold us to it; then tries, and says in the log what is so. Only the thread that calls this, and those that it
    /// starts from then on, are kept to their folder, so there must not be others yet.
    pub(crate) fn begin(folder: Option<&Path>) -> Confinement {
        match system::confine(folder) {
            Ok(true) => {}
            Ok(false) => tracing::warn!("this kernel can confine the server only in part"),
            Err(error) => tracing::warn!(%error, "the server is not confined"),
        }
        let confinement = Confinement {
            writing: folder.is_some_and(|folder| std::env::temp_dir().starts_with(folder)) || cannot_write(),
            programs: cannot_start(),
        };
        match confinement {
            Confinement { writing: true, programs: true } => {
                tracing::info!("confined: writes only to its folder, starts no programs");
            }
            Confinement { writing, programs } => {
                tracing::warn!(kept_to_folder = writing, no_programs = programs, "not confined");
            }
        }
        confinement
    }
}

/// Whether a file outside the folder cannot be made.
fn cannot_write() -> bool {
    let file = std::env::temp_dir().join(format!("emilia-confined-{}", std::process::id()));
    let made = File::create_new(&file).is_ok();
    if made {
        let _ = std::fs::remove_file(&file);
    }
    !made
}

/// Whether a program that is there cannot be started: our own.
fn cannot_start() -> bool {
    let Ok(own) = std::env::current_exe() else { return false };
    let mut command = Command::new(own);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        Ok(mut child) => {
            let _ = child.wait();
            false
        }
        Err(error) => error.kind() == io::ErrorKind::PermissionDenied,
    }
}

#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")
))]
mod system {
    use std::path::Path;

    use landlock::{
        ABI, Access, AccessFs, AccessNet, PathBeneath, PathFd, PathFdError, Ruleset, RulesetAttr,
        RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
    };
    use seccompiler::{
        SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
        apply_filter_all_threads,
    };
    use thiserror::Error;

    /// Why the system does not confine us.
    #[derive(Debug, Error)]
    pub(super) enum ConfineError {
        #[error("Landlock: {0}")]
        Landlock(#[from] RulesetError),
        #[error("Landlock: {0}")]
        Folder(#[from] PathFdError),
        #[error("seccomp: {0}")]
        Seccomp(#[from] seccompiler::Error),
        #[error("seccomp: {0}")]
        Filter(#[from] seccompiler::BackendError),
    }

    /// The newest rules that we know; older kernels keep those that they know.
    const RULES: ABI = ABI::V6;

    /// Confines us; whether all that was asked for is kept.
    pub(super) fn confine(folder: Option<&Path>) -> Result<bool, ConfineError> {
        // One does not depend on the other, so both are tried.
        let (files, programs) = (keep_to(folder), start_nothing());
        let files = files?;
        programs?;
        Ok(files)
    }

    /// Nothing is written outside the folder, no program file is executed, and nobody is connected to.
    fn keep_to(folder: Option<&Path>) -> Result<bool, ConfineError> {
        let mut ruleset = Ruleset::default()
            .handle_access(AccessFs::from_write(RULES) | AccessFs::Execute)?
            .handle_access(AccessNet::from_all(RULES))?
            .scope(Scope::from_all(RULES))?
            .create()?;
        if let Some(folder) = folder {
            ruleset =
                ruleset.add_rule(PathBeneath::new(PathFd::new(folder)?, AccessFs::from_write(RULES)))?;
        }
        Ok(ruleset.restrict_self()?.ruleset == RulesetStatus::FullyEnforced)
    }

    /// What a server of games never asks of the system: programs and processes of its own, looking into other
    /// processes, changing what the machine is made of.
    const NEVER: &[i64] = &[
        libc::SYS_execve,
        libc::SYS_execveat,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_fork,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_vfork,
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_mount,
        libc::SYS_umount2,
        libc::SYS_pivot_root,
        libc::SYS_chroot,
        libc::SYS_setns,
        libc::SYS_unshare,
        libc::SYS_init_module,
        libc::SYS_finit_module,
        libc::SYS_delete_module,
        libc::SYS_kexec_load,
        libc::SYS_reboot,
        libc::SYS_swapon,
        libc::SYS_swapoff,
        libc::SYS_bpf,
        libc::SYS_perf_event_open,
        libc::SYS_userfaultfd,
        libc::SYS_open_by_handle_at,
        libc::SYS_io_uring_setup,
        libc::SYS_add_key,
        libc::SYS_request_key,
        libc::SYS_keyctl,
    ];

    /// All threads are refused what they never need.
    fn start_nothing() -> Result<(), ConfineError> {
        let architecture = std::env::consts::ARCH.try_into()?;
        // A thread is made by the same call as a process, with a flag.
        let no_thread = SeccompCondition::new(
            0,
            SeccompCmpArgLen::Qword,
            SeccompCmpOp::MaskedEq(libc::CLONE_THREAD as u64),
            0,
        )?;
        let mut refused: std::collections::BTreeMap<i64, Vec<SeccompRule>> =
            NEVER.iter().map(|call| (*call, Vec::new())).collect();
        refused.insert(libc::SYS_clone, vec![SeccompRule::new(vec![no_thread])?]);
        // The flags of the newer call cannot be looked at, so it is said not to exist: the older one is used then.
        let unknown = [(libc::SYS_clone3, Vec::new())].into();
        for (calls, error) in [(refused, libc::EPERM), (unknown, libc::ENOSYS)] {
            let refuse = SeccompAction::Errno(error as u32);
            let filter = SeccompFilter::new(calls, SeccompAction::Allow, refuse, architecture)?;
            apply_filter_all_threads(&seccompiler::BpfProgram::try_from(filter)?)?;
        }
        Ok(())
    }
}

#[cfg(not(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")
)))]
mod system {
    use std::io;
    use std::path::Path;

    /// Only Linux is asked.
    pub(super) fn confine(_: Option<&Path>) -> io::Result<bool> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
