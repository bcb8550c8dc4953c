/** Part of the JavaScript API of WebAssembly, which Node has and its types leave out. */
declare namespace WebAssembly {
  type ValueType = "i32" | "i64" | "f32" | "f64";
  type ExportValue = unknown;
  type ImportValue = ((...args: never[]) => unknown) | Global | Memory | Table | number;
  type ModuleImports = Record<string, ImportValue>;
  type Imports = Record<string, ModuleImports>;

  class Module {
    constructor(bytes: Uint8Array);
    static imports(module: Module): { readonly module: string; readonly name: string }[];
  }
  class Instance {
    constructor(module: Module, imports?: Imports);
    readonly exports: Record<string, ExportValue>;
  }
  class Global<Type extends ValueType = ValueType> {
    constructor(type: { readonly value: Type; readonly mutable: boolean }, value: ValueOf<Type>);
    value: ValueOf<Type>;
  }
  class Memory {
    readonly buffer: ArrayBuffer;
  }
  class Table {
    readonly length: number;
  }
  class RuntimeError extends Error {}

  type ValueOf<Type extends ValueType> = Type extends "i64" ? bigint : number;

  function validate(bytes: Uint8Array): boolean;
}
