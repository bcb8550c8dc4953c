import { ByteWriter } from "../../src/binary/writer.js";
import { LOADS, OPERATIONS, type Operation, STORES, type ValueType } from "./operations.js";

/** Instructions that are not operations, by what they do. */
export const CONTROL = [
  ...["unreachable", "nop", "block", "loop", "if", "else", "br", "br_if", "br_table", "return"],
  ...["call", "call_indirect", "drop", "select", "select t", "local.get", "local.set", "local.tee"],
  ...["global.get", "global.set", "table.get", "table.set", "memory.size", "memory.grow"],
  ...["ref.null", "ref.is_null", "ref.func", "memory.init", "data.drop", "memory.copy"],
  ...["memory.fill", "table.init", "elem.drop", "table.copy", "table.grow", "table.size"],
  ...["table.fill", "const"],
] as const;

type Control = (typeof CONTROL)[number];

const TYPE_BYTE: Readonly<Record<ValueType, number>> = {
  ...{ i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b },
};
const TYPES: readonly ValueType[] = ["i32", "i64", "f32", "f64", "v128"];
/** Locals of a function: its parameter, one of each type, and a counter of loops. */
const LOCAL: Readonly<Record<ValueType, number>> = { i32: 1, i64: 2, f32: 3, f64: 4, v128: 5 };
const COUNTER = 6;
/** Globals: an imported number, and one of each type. */
const GLOBAL: Readonly<Record<ValueType, number>> = { i32: 1, i64: 2, f32: 3, f64: 4, v128: 5 };

/**
 * Generates valid modules with a function `run(i32) -> i64`, and prefers instructions that were used least.
 */
export class ModuleGenerator {
  readonly used = new Map<string, number>();
  readonly #random: (below: number) => number;
  #out = new ByteWriter();
  #depth = 0;

  /** @param random - returns a whole number below its argument */
  constructor(random: (below: number) => number) {
    this.#random = random;
  }

  module(): Uint8Array {
    const bodies = [this.#body("leaf"), this.#body("leaf"), this.#body("run")];
    const out = new ByteWriter().byte(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00);
    const section = (id: number, write: (out: ByteWriter) => void) => {
      const content = new ByteWriter();
      write(content);
      out.byte(id).sized(content.written);
    };
    // Types: run, leaf, and a block with a parameter.
    section(1, (o) =>
      o.byte(3, 0x60, 1, 0x7f, 1, 0x7e, 0x60, 1, 0x7f, 1, 0x7f, 0x60, 1, 0x7f, 1, 0x7f),
    );
    section(2, (o) => o.byte(1).name("test").name("base").byte(0x03, 0x7f, 0x00));
    section(3, (o) => o.byte(3, 1, 1, 0));
    section(4, (o) => o.byte(2, 0x70, 0x00, 4, 0x6f, 0x01, 1, 8));
    section(5, (o) => o.byte(1, 0x01, 1, 4));
    section(6, (o) => {
      o.byte(6).byte(0x7f, 0x01, 0x23, 0x00, 0x0b).byte(0x7e, 0x01, 0x42, 0x05, 0x0b);
      o.byte(0x7d, 0x01, 0x43, 0, 0, 0x80, 0x3f, 0x0b)
        .byte(0x7c, 0x01, 0x44)
        .byte(...Array(8).fill(0), 0x0b);
      o.byte(0x7b, 0x01, 0xfd, 12).byte(...Array(16).fill(3), 0x0b);
      // A function reference, and with the imported number the only constants that name others.
      o.byte(0x70, 0x00, 0xd2, 0x00, 0x0b);
    });
    section(7, (o) => {
      o.byte(3).name("run").byte(0x00, 2).name("memory").byte(0x02, 0).name("sum").byte(0x03, 2);
    });
    section(9, (o) => {
      // Active with functions, passive with functions, declared.
      o.byte(3, 0, 0x41, 0, 0x0b, 2, 0, 1, 1, 0, 2, 1, 0, 3, 0, 1, 0);
    });
    section(12, (o) => o.byte(2));
    section(10, (o) => {
      o.u32(bodies.length);
      for (const body of bodies) o.sized(body);
    });
    section(11, (o) => {
      o.byte(2, 0, 0x23, 0, 0x0b, 8, 1, 2, 3, 4, 5, 6, 7, 8, 1, 12, ...Array(12).fill(9));
    });
    return out.written.slice();
  }

  #body(kind: "leaf" | "run"): Uint8Array {
    this.#out = new ByteWriter().byte(6, 1, 0x7f, 1, 0x7e, 1, 0x7d, 1, 0x7c, 1, 0x7b, 1, 0x7f);
    const statements = kind === "leaf" ? 2 : 6;
    for (let count = 0; count < statements; count += 1) this.#statement(kind);
    if (kind === "leaf") this.#expression("i32", 2);
    else {
      // All locals are part of the result.
      this.#expression("i64", 2);
      for (const type of TYPES) {
        this.#out.byte(0x20, LOCAL[type]);
        this.#toI64(type);
        this.#out.byte(0x85);
      }
    }
    return this.#out.byte(0x0b).written.slice();
  }

  #toI64(type: ValueType): void {
    if (type === "i32") this.#out.byte(0xac);
    if (type === "f32") this.#out.byte(0xbc, 0xac);
    if (type === "f64") this.#out.byte(0xbd);
    if (type === "v128") this.#out.byte(0xfd, 29, 1);
  }

  #statement(kind: "leaf" | "run"): void {
    if (this.#depth > 3) {
      this.#use("nop");
      this.#out.byte(0x01);
      return;
    }
    this.#depth += 1;
    const statements = this.#statements(kind);
    const names = Object.keys(statements) as (keyof typeof statements)[];
    const least = this.#least(names as string[]);
    this.#use(least);
    statements[least as keyof typeof statements]?.();
    this.#depth -= 1;
  }

  #statements(kind: "leaf" | "run"): Partial<Record<Control | "store", () => void>> {
    const out = this.#out;
    const i32 = () => this.#expression("i32", 1);
    const small = () => {
      i32();
      out.byte(0x41, 7, 0x71);
    };
    const type = this.#pick(TYPES);
    return {
      nop: () => out.byte(0x01),
      store: () => this.#store(),
      "local.set": () => {
        this.#expression(type, 3);
        out.byte(0x21, LOCAL[type]);
      },
      "global.set": () => {
        this.#expression(type, 3);
        out.byte(0x24, GLOBAL[type]);
      },
      drop: () => {
        this.#expression(type, 2);
        out.byte(0x1a);
      },
      block: () => {
        // With a parameter, which the block returns.
        i32();
        out.byte(0x02, 0x02);
        this.#statement(kind);
        out.byte(0x0b, 0x21, LOCAL.i32);
      },
      br: () => {
        out.byte(0x02, 0x40);
        this.#statement(kind);
        out.byte(0x0c, 0x00, 0x41, 0x01, 0x21, LOCAL.i32, 0x0b);
      },
      br_if: () => {
        out.byte(0x02, 0x40);
        i32();
        out.byte(0x0d, 0x00);
        this.#statement(kind);
        out.byte(0x0b);
      },
      br_table: () => {
        out.byte(0x02, 0x40, 0x02, 0x40);
        small();
        out.byte(0x0e, 0x02, 0x00, 0x01, 0x00, 0x0b);
        this.#statement(kind);
        out.byte(0x0b);
      },
      loop: () => {
        out.byte(0x41, 0x03, 0x21, COUNTER, 0x03, 0x40);
        this.#expression(type, 2);
        out.byte(
          0x21,
          LOCAL[type],
          0x20,
          COUNTER,
          0x41,
          0x01,
          0x6b,
          0x22,
          COUNTER,
          0x0d,
          0x00,
          0x0b,
        );
        this.#use("local.tee");
      },
      if: () => {
        i32();
        out.byte(0x04, 0x40);
        this.#statement(kind);
        out.byte(0x0b);
      },
      else: () => {
        i32();
        out.byte(0x04, TYPE_BYTE[type]);
        this.#expression(type, 2);
        out.byte(0x05);
        this.#expression(type, 2);
        out.byte(0x0b, 0x21, LOCAL[type]);
      },
      unreachable: () => {
        small();
        out.byte(0x41, 0x63, 0x46, 0x04, 0x40, 0x00, 0x0b);
      },
      return: () => {
        small();
        out.byte(0x41, 0x7b, 0x46, 0x04, 0x40);
        out.byte(...(kind === "run" ? [0x42, 0x01] : [0x41, 0x01]), 0x0f, 0x0b);
      },
      "memory.grow": () => {
        out.byte(0x41, 0x01, 0x40, 0x00, 0x21, LOCAL.i32);
      },
      "memory.fill": () => {
        small();
        i32();
        small();
        out.byte(0xfc, 11, 0);
      },
      "memory.copy": () => {
        small();
        small();
        small();
        out.byte(0xfc, 10, 0, 0);
      },
      "memory.init": () => {
        small();
        out.byte(0x41, 1, 0x41, 3, 0xfc, 8, 1, 0);
      },
      "data.drop": () => out.byte(0xfc, 9, 1),
      "table.init": () => out.byte(0x41, 0, 0x41, 0, 0x41, 1, 0xfc, 12, 1, 0),
      "elem.drop": () => out.byte(0xfc, 13, 1),
      "table.copy": () => out.byte(0x41, 0, 0x41, 1, 0x41, 1, 0xfc, 14, 0, 0),
      "table.grow": () => out.byte(0xd0, 0x6f, 0x41, 1, 0xfc, 15, 1, 0x21, LOCAL.i32),
      "table.fill": () => out.byte(0x41, 0, 0xd0, 0x6f, 0x41, 1, 0xfc, 17, 1),
      "table.set": () => {
        this.#use("ref.func");
        out.byte(0x41, 1, 0xd2, 0, 0x26, 0);
      },
      "ref.is_null": () => {
        this.#use("ref.null");
        this.#use("table.get");
        out.byte(0xd0, 0x70, 0xd1, 0x41, 2, 0x25, 0, 0xd1, 0x6a, 0x21, LOCAL.i32);
      },
      "select t": () => {
        out.byte(0xd0, 0x70, 0xd2, 0);
        i32();
        out.byte(0x1c, 1, 0x70, 0xd1, 0x21, LOCAL.i32);
      },
      ...(kind === "leaf"
        ? {}
        : {
            call: () => {
              i32();
              out.byte(0x10, this.#random(2), 0x21, LOCAL.i32);
            },
            call_indirect: () => {
              i32();
              out.byte(0x41, this.#random(3), 0x11, 1, 0, 0x21, LOCAL.i32);
            },
          }),
    };
  }

  #store(): void {
    const stores = STORES.map(({ name }) => name);
    const least = this.#least(stores);
    const chosen = STORES.find(({ name }) => name === least) as Operation;
    this.#use(chosen.name);
    this.#expression("i32", 1);
    this.#out.byte(0x41, 0x3f, 0x71);
    this.#expression(chosen.params[1] as ValueType, 1);
    this.#out.byte(...chosen.code);
  }

  #expression(type: ValueType, depth: number): void {
    const out = this.#out;
    if (depth === 0 || this.#random(6) === 0) {
      this.#leaf(type);
      return;
    }
    if (this.#random(8) === 0) {
      this.#use("select");
      this.#expression(type, depth - 1);
      this.#expression(type, depth - 1);
      this.#expression("i32", depth - 1);
      out.byte(...(type === "v128" ? [0x1c, 1, 0x7b] : [0x1b]));
      return;
    }
    const candidates = [...OPERATIONS, ...LOADS].filter(({ result }) => result === type);
    const least = this.#least(candidates.map(({ name }) => name));
    const chosen = candidates.find(({ name }) => name === least) as Operation;
    this.#use(chosen.name);
    for (const [index, param] of chosen.params.entries()) {
      this.#expression(param, depth - 1);
      // Most addresses are within the memory.
      if (LOADS.includes(chosen) && index === 0) out.byte(0x41, 0x3f, 0x71);
    }
    out.byte(...chosen.code);
    // The bits of a NaN are not fixed, so they must not become numbers.
    if (type === "f32")
      out.byte(0x22, LOCAL.f32, 0x43, 0, 0, 0, 0, 0x20, LOCAL.f32, 0x20, LOCAL.f32, 0x5b, 0x1b);
    if (type === "f64") {
      out.byte(
        0x22,
        LOCAL.f64,
        0x44,
        ...Array(8).fill(0),
        0x20,
        LOCAL.f64,
        0x20,
        LOCAL.f64,
        0x61,
        0x1b,
      );
    }
  }

  #leaf(type: ValueType): void {
    const out = this.#out;
    const kind = this.#random(4);
    if (kind === 0) {
      this.#use("local.get");
      out.byte(0x20, LOCAL[type]);
    } else if (kind === 1) {
      this.#use("global.get");
      out.byte(0x23, GLOBAL[type]);
    } else if (kind === 2 && type === "i32") {
      this.#use("memory.size");
      this.#use("table.size");
      out.byte(0x3f, 0, 0xfc, 16, 1, 0x6a, 0x20, 0, 0x6a);
    } else {
      this.#use("const");
      const byte = this.#random(0x3f);
      if (type === "i32") out.byte(0x41, byte);
      if (type === "i64") out.byte(0x42, byte);
      if (type === "f32") out.byte(0x43, 0, 0, 0x80 + this.#random(0x70), 0x40);
      if (type === "f64") out.byte(0x44, 0, 0, 0, 0, 0, 0, byte, 0x40);
      if (type === "v128") out.byte(0xfd, 12, ...Array(16).fill(byte));
    }
  }

  #least(names: readonly string[]): string {
    const counts = names.map((name) => this.used.get(name) ?? 0);
    const fewest = Math.min(...counts);
    return this.#pick(names.filter((_, index) => counts[index] === fewest));
  }

  #use(name: string): void {
    this.used.set(name, (this.used.get(name) ?? 0) + 1);
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#random(items.length)] as Item;
  }
}
