//! wasmi behind our traits: the one module that knows the interpreter.

mod running;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;

use wasmi::{CompilationMode, Config, EnforcedLimits, ExternType, FuncType, TrapCode, ValType};

use crate::error::{CallError, LoadError, Panicked};
use crate::imports::{Facts, HostFn};
use crate::limits::{Grants, Limits};
use crate::outline::{MAX_MODULE_BYTES, outline};
use crate::{Engine, Host, Module, Reply, Value};

/// The interpreter wasmi: no machine code is made at run time, so it runs where memory is never executable.
#[derive(Debug, Clone)]
pub struct Wasmi {
    engine: wasmi::Engine,
}

impl Wasmi {
    /// Sets the interpreter up; one serves all modules.
    pub fn new() -> Self {
        let mut config = Config::default();
        config
            .consume_fuel(true)
            // Everything is validated at load, not while a call runs. Translation at the first call would shorten the load,
            // but a call that runs out of its slice of fuel there cannot be resumed.
            .compilation_mode(CompilationMode::Eager)
            .enforced_limits(EnforcedLimits::strict())
            .set_max_recursion_depth(MAX_DEPTH)
            .ignore_custom_sections(true)
            // What no compiler of ours emits is not parsed either.
            .wasm_multi_memory(false)
            .wasm_tail_call(false)
            .wasm_memory64(false)
            .wasm_custom_page_sizes(false)
            .wasm_wide_arithmetic(false)
            .wasm_extended_const(false);
        Wasmi { engine: wasmi::Engine::new(&config) }
    }
}

impl Default for Wasmi {
    fn default() -> Self {
        Wasmi::new()
    }
}

impl Engine for Wasmi {
    fn load(&self, bytes: &[u8]) -> Result<Box<dyn Module>, LoadError> {
        if bytes.len() > MAX_MODULE_BYTES {
            return Err(LoadError::TooLarge { size: bytes.len(), limit: MAX_MODULE_BYTES });
        }
        let outline = outline(bytes)?;
        if outline.start {
            return Err(LoadError::Start);
        }
        if outline.memories != 1 {
            return Err(LoadError::Memories { count: outline.memories });
        }
        if outline.tables > 1 {
            return Err(LoadError::Tables { count: outline.tables });
        }
        let module = guarded(|| wasmi::Module::new(&self.engine, bytes))?
            .map_err(|error| LoadError::Invalid(error.to_string()))?;
        let mut facts = Facts {
            imports: Vec::new(),
            derived: Default::default(),
            emits: false,
            size: bytes.len(),
            memory_min_pages: 0,
            memory_max_pages: None,
            tables: outline.tables,
            custom_sections: outline.custom_sections,
            exports: module.exports().map(|export| export.name().to_owned()).collect(),
            bounds: outline.bounds,
        };
        for import in module.imports() {
            facts.add_import(host_function(&import)?);
        }
        check_exports(&module, &mut facts)?;
        Ok(Box::new(Loaded { engine: self.engine.clone(), module, facts }))
    }
}

struct Loaded {
    engine: wasmi::Engine,
    module: wasmi::Module,
    facts: Facts,
}

impl Module for Loaded {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn call(
        &self,
        grants: &Grants,
        host: &mut dyn Host,
        message: &Value,
        limits: &Limits,
        cancel: &AtomicBool,
    ) -> Result<Reply, CallError> {
        running::call(self, grants, host, message, limits, cancel)
    }
}

fn host_function(import: &wasmi::ImportType<'_>) -> Result<HostFn, LoadError> {
    let known = if import.module() == IMPORT_MODULE { HostFn::named(import.name()) } else { None };
    let function = known.ok_or_else(|| LoadError::UnknownImport {
        module: shared_types::text::cut(import.module(), 80),
        name: shared_types::text::cut(import.name(), 80),
    })?;
    match import.ty() {
        ExternType::Func(ty) if has_type(ty, &[ValType::I32, ValType::I32], &[ValType::I64]) => Ok(function),
        other => Err(LoadError::ImportType { name: function.name(), found: in_words(other) }),
    }
}

fn check_exports(module: &wasmi::Module, facts: &mut Facts) -> Result<(), LoadError> {
    if let Some(other) = facts.exports.iter().find(|name| !EXPORTS.contains(&name.as_str())) {
        return Err(LoadError::UnknownExport { name: shared_types::text::cut(other, 80) });
    }
    match module.get_export(MEMORY) {
        Some(ExternType::Memory(memory)) => {
            // Without 64-bit memories, both are at most 65,536.
            facts.memory_min_pages = u32::try_from(memory.minimum()).unwrap_or(u32::MAX);
            facts.memory_max_pages = memory.maximum().map(|pages| u32::try_from(pages).unwrap_or(u32::MAX));
        }
        _ => return Err(LoadError::Export { name: MEMORY, wanted: "its memory" }),
    }
    let exports = |name, params: &[ValType], results: &[ValType]| matches!(module.get_export(name), Some(ExternType::Func(ty)) if has_type(&ty, params, results));
    if !exports(ALLOC, &[ValType::I32], &[ValType::I32]) {
        return Err(LoadError::Export { name: ALLOC, wanted: "a function (i32) -> i32" });
    }
    if !exports(CALL, &[ValType::I32, ValType::I32], &[ValType::I64]) {
        return Err(LoadError::Export { name: CALL, wanted: "a function (i32, i32) -> i64" });
    }
    Ok(())
}

fn has_type(ty: &FuncType, params: &[ValType], results: &[ValType]) -> bool {
    ty.params() == params && ty.results() == results
}

fn in_words(ty: &ExternType) -> String {
    match ty {
        ExternType::Func(ty) => {
            let list = |types: &[ValType]| {
                let words: Vec<String> = types.iter().map(|ty| format!("{ty:?}").to_lowercase()).collect();
                words.join(", ")
            };
            format!("a function ({}) -> ({})", list(ty.params()), list(ty.results()))
        }
        ExternType::Memory(_) => "a memory".to_owned(),
        ExternType::Table(_) => "a table".to_owned(),
        ExternType::Global(_) => "a global".to_owned(),
    }
}

/// Turns a panic of the interpreter, which no module should be able to cause, into one failure.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    // The callers drop everything that the work touched when it fails.
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| Panicked)
}

fn trap_in_words(trap: TrapCode) -> String {
    match trap {
        TrapCode::UnreachableCodeReached => "it panicked, or ran out of memory".to_owned(),
        TrapCode::MemoryOutOfBounds => "it reached beyond its memory".to_owned(),
        other => other.to_string(),
    }
}

const IMPORT_MODULE: &str = "tameclaw";
const MEMORY: &str = "memory";
const ALLOC: &str = "tameclaw_alloc";
const CALL: &str = "tameclaw_call";
/// The last two are the linker's marks of where data ends.
const EXPORTS: [&str; 5] = [MEMORY, ALLOC, CALL, "__data_end", "__heap_base"];
const MAX_DEPTH: usize = 256;

#[cfg(test)]
mod tests;
