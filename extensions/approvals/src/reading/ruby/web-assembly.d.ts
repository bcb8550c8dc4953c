/** The part of the runtime's WebAssembly that the parser of Ruby needs; the compiler has it for browsers only. */
declare namespace WebAssembly {
  type Exports = Record<string, unknown>;
  class Memory {
    readonly buffer: ArrayBuffer;
  }
  interface Module {
    readonly [Symbol.toStringTag]: string;
  }
  const Module: { imports(module: Module): { readonly name: string }[] };
  function compile(bytes: Uint8Array): Promise<Module>;
  function instantiate(
    module: Module,
    imports: Record<string, Record<string, (...words: number[]) => number>>,
  ): Promise<{ readonly exports: Exports }>;
}
