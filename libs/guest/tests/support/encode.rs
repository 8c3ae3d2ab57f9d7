//! WebAssembly modules written byte by byte, for shapes that no compiler makes.

/// A module of raw sections.
#[derive(Debug, Clone)]
pub struct Shape {
    sections: Vec<(u8, Vec<u8>)>,
}

pub const TYPE: u8 = 1;
pub const IMPORT: u8 = 2;
pub const FUNCTION: u8 = 3;
pub const TABLE: u8 = 4;
pub const MEMORY: u8 = 5;
pub const GLOBAL: u8 = 6;
pub const EXPORT: u8 = 7;
pub const START: u8 = 8;
pub const CODE: u8 = 10;

impl Shape {
    /// The smallest skill: `tameclaw_alloc` runs `alloc`, `tameclaw_call` runs `call`, both instructions without `end`.
    pub fn skill(alloc: &[u8], call: &[u8]) -> Shape {
        Shape::importing(&[], alloc, call)
    }

    /// A skill that imports these functions of `tameclaw`; function indices start with them.
    pub fn importing(imports: &[&str], alloc: &[u8], call: &[u8]) -> Shape {
        let first = imports.len() as u8;
        let mut import = vec![imports.len() as u8];
        for field in imports {
            import.extend(name("tameclaw"));
            import.extend(name(field));
            import.extend([0, 1]);
        }
        let mut export = vec![3];
        export.extend(name("memory"));
        export.extend([2, 0]);
        export.extend(name("tameclaw_alloc"));
        export.extend([0, first]);
        export.extend(name("tameclaw_call"));
        export.extend([0, first + 1]);
        let mut code = vec![2];
        for body in [alloc, call] {
            code.extend(number(body.len() + 2));
            code.push(0);
            code.extend(body);
            code.push(0x0b);
        }
        let mut sections = vec![
            // 0: (i32) -> i32, 1: (i32, i32) -> i64, 2: () -> ()
            (TYPE, vec![3, 0x60, 1, 0x7f, 1, 0x7f, 0x60, 2, 0x7f, 0x7f, 1, 0x7e, 0x60, 0, 0]),
            (IMPORT, import),
            (FUNCTION, vec![2, 0, 1]),
            (MEMORY, vec![1, 0, 1]),
            (EXPORT, export),
            (CODE, code),
        ];
        sections.retain(|(id, _)| *id != IMPORT || !imports.is_empty());
        Shape { sections }
    }

    /// Replaces a section, or puts it where it belongs.
    pub fn with(mut self, id: u8, content: &[u8]) -> Shape {
        self.sections.retain(|(other, _)| *other != id);
        let place = self.sections.iter().position(|(other, _)| *other > id).unwrap_or(self.sections.len());
        self.sections.insert(place, (id, content.to_vec()));
        self
    }

    /// The content of a section.
    pub fn section(&self, id: u8) -> Vec<u8> {
        self.sections
            .iter()
            .find(|(other, _)| *other == id)
            .map(|(_, content)| content.clone())
            .unwrap_or_default()
    }

    /// Adds a custom section at the end.
    pub fn custom(mut self, title: &str) -> Shape {
        self.sections.push((0, name(title)));
        self
    }

    /// The bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = b"\0asm\x01\0\0\0".to_vec();
        for (id, content) in &self.sections {
            bytes.push(*id);
            bytes.extend(number(content.len()));
            bytes.extend(content);
        }
        bytes
    }
}

/// A length-prefixed name.
pub fn name(text: &str) -> Vec<u8> {
    let mut bytes = number(text.len());
    bytes.extend(text.as_bytes());
    bytes
}

/// An unsigned LEB128 number.
pub fn number(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let byte = (number & 0x7f) as u8;
        number >>= 7;
        if number == 0 {
            bytes.push(byte);
            return bytes;
        }
        bytes.push(byte | 0x80);
    }
}

/// `i32.const`.
pub fn i32_const(value: i32) -> Vec<u8> {
    let mut bytes = vec![0x41];
    bytes.extend(signed(i64::from(value)));
    bytes
}

/// `i64.const`.
pub fn i64_const(value: i64) -> Vec<u8> {
    let mut bytes = vec![0x42];
    bytes.extend(signed(value));
    bytes
}

fn signed(mut value: i64) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let byte = (value & 0x7f) as u8;
        value >>= 7;
        if (value == 0 && byte & 0x40 == 0) || (value == -1 && byte & 0x40 != 0) {
            bytes.push(byte);
            return bytes;
        }
        bytes.push(byte | 0x80);
    }
}
