//! One call: a fresh instance, run in slices, its host functions answered between them.
//!
//! A host function does not run inside the interpreter. It suspends the module by an error that can be resumed; the
//! loop here then answers it, while nothing of the module is on the way. So a host needs no lifetime beyond the call,
//! and the allocator of the module is metered like all the rest.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use skill_sdk::codec;
use wasmi::errors::{ErrorKind, InstantiationError, MemoryError, TableError};
use wasmi::{
    Caller, Linker, Memory, Store, StoreLimits, StoreLimitsBuilder, TrapCode, TypedFunc, TypedResumableCall,
    Val, WasmParams, WasmResults,
};

use super::{ALLOC, CALL, IMPORT_MODULE, Loaded, MAX_DEPTH, MEMORY, guarded, trap_in_words};
use crate::error::{BadMessage, CallError};
use crate::imports::HostFn;
use crate::limits::{Grants, Limits, Rest, Usage};
use crate::{Host, Reply, Value};

pub(super) fn call(
    module: &Loaded,
    grants: &Grants,
    host: &mut dyn Host,
    message: &Value,
    limits: &Limits,
    cancel: &AtomicBool,
) -> Result<Reply, CallError> {
    if let Some(function) = module.facts.imports.iter().find(|function| !grants.allows(**function)) {
        return Err(CallError::link(*function));
    }
    let message = encoded(message, limits)?;
    let store = Store::new(&module.engine, room(limits));
    let (mut running, call) = Running::instantiate(store, module, grants, limits, cancel)?;
    let (ptr, len) = running.give(&message)?;
    let packed = running.run(&call, (ptr, len), Some(host))?;
    let value = running.read(packed)?;
    Ok(Reply { value, usage: running.usage() })
}

struct Running<'a> {
    store: Store<StoreLimits>,
    memory: Memory,
    alloc: TypedFunc<i32, i32>,
    limits: &'a Limits,
    cancel: &'a AtomicBool,
    started: Instant,
    /// How long the host functions took together.
    waited: Duration,
    /// Fuel that is left beside what is in the store.
    fuel: u64,
    calls: [u32; HostFn::ALL.len()],
}

type Entry = TypedFunc<(i32, i32), i64>;

impl<'a> Running<'a> {
    fn instantiate(
        mut store: Store<StoreLimits>,
        module: &Loaded,
        grants: &Grants,
        limits: &'a Limits,
        cancel: &'a AtomicBool,
    ) -> Result<(Running<'a>, Entry), CallError> {
        let started = Instant::now();
        store.limiter(|limits| limits);
        let linker = linker(module, grants).map_err(|error| CallError::Trap(error.to_string()))?;
        let instance = guarded(|| linker.instantiate_and_start(&mut store, &module.module))?
            .map_err(|error| failure(&error, limits))?;
        let missing = CallError::MissingExport;
        let memory = instance.get_memory(&store, MEMORY).ok_or(missing(MEMORY))?;
        let alloc = instance.get_typed_func(&store, ALLOC).map_err(|_| missing(ALLOC))?;
        let call = instance.get_typed_func(&store, CALL).map_err(|_| missing(CALL))?;
        let running = Running {
            store,
            memory,
            alloc,
            limits,
            cancel,
            started,
            waited: Duration::ZERO,
            fuel: limits.fuel,
            calls: [0; HostFn::ALL.len()],
        };
        Ok((running, call))
    }

    /// Runs a function of the module slice by slice; without a host it may not call out.
    fn run<P: WasmParams, R: WasmResults>(
        &mut self,
        function: &TypedFunc<P, R>,
        params: P,
        mut host: Option<&mut dyn Host>,
    ) -> Result<R, CallError> {
        self.next_slice(0)?;
        let mut step = guarded(|| function.call_resumable(&mut self.store, params));
        loop {
            self.end_slice();
            match step?.map_err(|error| failure(&error, self.limits))? {
                TypedResumableCall::Finished(results) => return Ok(results),
                TypedResumableCall::OutOfFuel(paused) => {
                    self.next_slice(paused.required_fuel())?;
                    step = guarded(|| paused.resume(&mut self.store));
                }
                TypedResumableCall::HostTrap(paused) => {
                    let called = paused.host_error().downcast_ref::<Called>().copied();
                    let (Some(called), Some(host)) = (called, host.as_deref_mut()) else {
                        return Err(BadMessage::AllocatorCalled.into());
                    };
                    let answer = self.serve(called, host)?;
                    self.next_slice(0)?;
                    step = guarded(|| paused.resume(&mut self.store, &[Val::I64(answer)]));
                }
            }
        }
    }

    /// Answers one call to the host and returns where the answer is.
    fn serve(&mut self, called: Called, host: &mut dyn Host) -> Result<i64, CallError> {
        self.calls[called.function as usize] += 1;
        if self.calls.iter().sum::<u32>() > self.limits.host_calls {
            return Err(CallError::HostCalls { limit: self.limits.host_calls });
        }
        let request = self.read(pack(called.ptr, called.len))?;
        self.charge(called.len as u32)?;

        let before = Instant::now();
        let mut rest = Rest {
            deadline: before + self.limits.host_wall.saturating_sub(self.waited),
            fuel: self.fuel,
            memory_bytes: self.limits.memory_bytes.saturating_sub(self.memory.data_size(&self.store)),
            wall: self.limits.wall.saturating_sub(self.computed()),
        };
        let answer = host.call_within(called.function, request, &mut rest);
        self.fuel = rest.fuel.min(self.fuel);
        self.waited += before.elapsed();
        if self.cancel.load(Ordering::Relaxed) {
            return Err(CallError::Cancelled);
        }
        if self.waited > self.limits.host_wall {
            return Err(CallError::HostWall { limit: self.limits.host_wall });
        }

        let (key, value) = match answer {
            Ok(value) => ("ok", value),
            Err(why) => ("err", Value::Text(why.to_string())),
        };
        let bytes = match encoded(&Value::map([(key, value)]), self.limits) {
            Ok(bytes) => bytes,
            // The host's answer is not the skill's fault: it hears why it gets none.
            Err(why) => encoded(&Value::map([("err", why.to_string().into())]), self.limits)?,
        };
        let (ptr, len) = self.give(&bytes)?;
        Ok(pack(ptr, len))
    }

    /// Puts bytes into a block that the module's allocator makes.
    fn give(&mut self, bytes: &[u8]) -> Result<(i32, i32), CallError> {
        let size = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        self.charge(size)?;
        let alloc = self.alloc;
        let ptr = self.run(&alloc, size as i32, None)?;
        let memory = self.memory.data_mut(&mut self.store);
        let block = range(ptr, size as i32).and_then(|range| memory.get_mut(range));
        let block = block.ok_or(BadMessage::RoomBeyond { size, at: ptr as u32 })?;
        block.copy_from_slice(bytes);
        Ok((ptr, size as i32))
    }

    /// Reads a message from the module's memory.
    fn read(&self, packed: i64) -> Result<Value, CallError> {
        let (ptr, len) = ((packed >> 32) as i32, packed as i32);
        let size = len as u32 as usize;
        if size > self.limits.message_bytes {
            return Err(CallError::MessageSize { size, limit: self.limits.message_bytes });
        }
        let bytes = range(ptr, len).and_then(|range| self.memory.data(&self.store).get(range));
        let bytes = bytes.ok_or(BadMessage::Beyond { size, at: ptr as u32 })?;
        Ok(codec::decode(bytes).map_err(BadMessage::Codec)?)
    }

    /// Puts the next slice of fuel into the store, unless the call is over.
    fn next_slice(&mut self, least: u64) -> Result<(), CallError> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(CallError::Cancelled);
        }
        if self.computed() > self.limits.wall {
            return Err(CallError::Wall { limit: self.limits.wall });
        }
        // One instruction on much memory may need more than a slice.
        let slice = self.limits.fuel_slice.max(least).max(1).min(self.fuel);
        if slice < least || slice == 0 {
            return Err(CallError::Fuel { limit: self.limits.fuel });
        }
        self.fuel -= slice;
        self.store.set_fuel(slice).expect("the engine is configured to meter fuel");
        Ok(())
    }

    /// Takes back what the slice left over.
    fn end_slice(&mut self) {
        let left = self.store.get_fuel().expect("the engine is configured to meter fuel");
        self.fuel += left;
        self.store.set_fuel(0).expect("the engine is configured to meter fuel");
    }

    /// Work that the host does for the module costs fuel, too.
    fn charge(&mut self, bytes: u32) -> Result<(), CallError> {
        let price = HOST_CALL_FUEL + u64::from(bytes);
        self.fuel = self.fuel.checked_sub(price).ok_or(CallError::Fuel { limit: self.limits.fuel })?;
        Ok(())
    }

    fn computed(&self) -> Duration {
        self.started.elapsed().saturating_sub(self.waited)
    }

    fn usage(&self) -> Usage {
        let called = |function: &HostFn| (*function, self.calls[*function as usize]);
        Usage {
            fuel: self.limits.fuel - self.fuel,
            wall: self.started.elapsed(),
            // A module's memory never shrinks.
            memory_peak_bytes: self.memory.data_size(&self.store),
            host_calls: HostFn::ALL.iter().map(called).filter(|(_, count)| *count > 0).collect(),
        }
    }
}

/// Links the functions that are both granted and imported, and no other.
fn linker(module: &Loaded, grants: &Grants) -> Result<Linker<StoreLimits>, wasmi::Error> {
    let mut linker = Linker::new(&module.engine);
    for function in module.facts.imports.iter().copied().filter(|function| grants.allows(*function)) {
        linker.func_wrap(
            IMPORT_MODULE,
            function.name(),
            move |_: Caller<'_, StoreLimits>, ptr: i32, len: i32| -> Result<i64, wasmi::Error> {
                Err(wasmi::Error::host(Called { function, ptr, len }))
            },
        )?;
    }
    Ok(linker)
}

/// A call to the host, which suspends the module.
#[derive(Debug, Clone, Copy)]
struct Called {
    function: HostFn,
    ptr: i32,
    len: i32,
}

impl fmt::Display for Called {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it called `{}` from where it cannot be answered", self.function)
    }
}

impl wasmi::errors::HostError for Called {}

/// What the instance may hold. Growing beyond it ends the call: the module could only panic, and say less.
fn room(limits: &Limits) -> StoreLimits {
    StoreLimitsBuilder::new()
        .memory_size(limits.memory_bytes)
        .memories(1)
        .table_elements(MAX_TABLE)
        .tables(1)
        .instances(1)
        .trap_on_grow_failure(true)
        .build()
}

fn failure(error: &wasmi::Error, limits: &Limits) -> CallError {
    use InstantiationError::{FailedToInstantiateMemory, FailedToInstantiateTable};
    use MemoryError::ResourceLimiterDeniedAllocation as MemoryDenied;
    use TableError::ResourceLimiterDeniedAllocation as TableDenied;

    match error.kind() {
        ErrorKind::Memory(MemoryDenied)
        | ErrorKind::Table(TableDenied)
        | ErrorKind::Instantiation(
            FailedToInstantiateMemory(MemoryDenied) | FailedToInstantiateTable(TableDenied),
        )
        | ErrorKind::TrapCode(TrapCode::GrowthOperationLimited) => {
            CallError::Memory { limit: limits.memory_bytes }
        }
        ErrorKind::TrapCode(TrapCode::OutOfFuel) => CallError::Fuel { limit: limits.fuel },
        ErrorKind::TrapCode(TrapCode::StackOverflow) => CallError::Depth { limit: MAX_DEPTH },
        ErrorKind::TrapCode(trap) => CallError::Trap(trap_in_words(*trap)),
        _ => CallError::Trap(error.to_string()),
    }
}

fn encoded(value: &Value, limits: &Limits) -> Result<Vec<u8>, CallError> {
    let bytes = codec::encode(value).map_err(BadMessage::Codec)?;
    if bytes.len() > limits.message_bytes {
        return Err(CallError::MessageSize { size: bytes.len(), limit: limits.message_bytes });
    }
    Ok(bytes)
}

fn range(ptr: i32, len: i32) -> Option<std::ops::Range<usize>> {
    let start = usize::try_from(ptr as u32).ok()?;
    let end = start.checked_add(usize::try_from(len as u32).ok()?)?;
    Some(start..end)
}

fn pack(ptr: i32, len: i32) -> i64 {
    (i64::from(ptr) << 32) | i64::from(len as u32)
}

const HOST_CALL_FUEL: u64 = 1_000;
const MAX_TABLE: usize = 10_000;
