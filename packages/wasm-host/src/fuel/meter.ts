import { ByteWriter } from "../binary/writer.js";

/** Name of the module that instrumented modules import their meters from. */
export const METER_MODULE = "openclaw:meter";

/** Globals that instrumented modules import, in this order. */
export const METERS = [
  // Units that are left; negative when the call has used more than it may.
  { name: "fuel", type: 0x7e },
  // Pages by which the memories of the component may grow in all.
  { name: "pages", type: 0x7f },
  // Number of times that a memory was not grown for want of pages.
  { name: "denied", type: 0x7f },
] as const;

/** Bytes of a bulk operation for one unit of fuel. */
const BYTES_PER_UNIT_SHIFT = 4;
/** Units for growing a memory by a page. */
const UNITS_PER_PAGE = 65536 >> BYTES_PER_UNIT_SHIFT;

/** Writes the code that counts fuel, for a module whose meters begin at a given global. */
export class MeterCode {
  readonly #fuel: number;
  readonly #pages: number;
  readonly #denied: number;

  /** @param firstGlobal - index of the first meter */
  constructor(firstGlobal: number) {
    this.#fuel = firstGlobal;
    this.#pages = firstGlobal + 1;
    this.#denied = firstGlobal + 2;
  }

  /**
   * Charges a straight block of a function, which keeps its fuel in a local: engines keep a local in a register, and a
   * global of another instance behind two pointers.
   * @param local - index of the local
   * @param units - number of its instructions
   * @param isChecked - true traps when nothing is left
   */
  charge(out: ByteWriter, local: number, units: number, isChecked: boolean): void {
    if (units > 0) {
      out.byte(0x20).u32(local).byte(0x42).positive(units).byte(0x7d).byte(0x21).u32(local);
    }
    if (!isChecked) return;
    out.byte(0x20).u32(local).byte(0x42, 0x00, 0x53, 0x04, 0x40);
    this.store(out, local);
    out.byte(0x00, 0x0b);
  }

  /** Takes the fuel into a local, at the start of a function and after a call. */
  take(out: ByteWriter, local: number): void {
    this.#get(out, this.#fuel).byte(0x21).u32(local);
  }

  /** Stores the fuel of a local, before a call and at the end of a function. */
  store(out: ByteWriter, local: number): void {
    this.#set(out.byte(0x20).u32(local), this.#fuel);
  }

  /** Pushes the fuel of the global. */
  push(out: ByteWriter): void {
    this.#get(out, this.#fuel);
  }

  /** Pops the fuel into the global. */
  pop(out: ByteWriter): void {
    this.#set(out, this.#fuel);
  }

  /** Returns the bodies of the functions that charge bytes, charge items, and grow the memory. */
  functions(hasMemory: boolean): Uint8Array[] {
    const grow = hasMemory ? this.#growFunction() : new Uint8Array([0x00, 0x00, 0x0b]);
    return [this.#bytesFunction(), this.#itemsFunction(), grow];
  }

  /** Returns the body of a function that charges bytes, and returns their number. */
  #bytesFunction(): Uint8Array {
    return this.#chargeFunction((out) =>
      out.byte(0x42).positive(15).byte(0x7c, 0x42).positive(BYTES_PER_UNIT_SHIFT).byte(0x88),
    );
  }

  /** Returns the body of a function that charges items of a table, and returns their number. */
  #itemsFunction(): Uint8Array {
    return this.#chargeFunction((out) => out);
  }

  /** Returns the body of a function that grows the memory within the pages that are left. */
  #growFunction(): Uint8Array {
    const out = new ByteWriter().byte(0x01, 0x01, 0x7f);
    // More than the pages that are left: counted, and the guest's grow fails.
    this.#get(out.byte(0x20, 0x00), this.#pages).byte(0x4b, 0x04, 0x7f);
    this.#get(out, this.#denied).byte(0x41, 0x01, 0x6a);
    this.#set(out, this.#denied).byte(0x41, 0x7f, 0x05);
    this.#get(out, this.#fuel).byte(0x20, 0x00, 0xad, 0x42).positive(UNITS_PER_PAGE);
    this.#set(out.byte(0x7e, 0x7d), this.#fuel);
    this.#check(out);
    out.byte(0x20, 0x00, 0x40, 0x00, 0x22, 0x01, 0x41, 0x7f, 0x47, 0x04, 0x40);
    this.#get(out, this.#pages).byte(0x20, 0x00, 0x6b);
    this.#set(out, this.#pages).byte(0x0b, 0x20, 0x01, 0x0b, 0x0b);
    return out.written.slice();
  }

  #chargeFunction(units: (out: ByteWriter) => ByteWriter): Uint8Array {
    const out = new ByteWriter().byte(0x00);
    this.#get(out, this.#fuel).byte(0x20, 0x00, 0xad);
    this.#set(units(out).byte(0x7d), this.#fuel);
    this.#check(out);
    return out.byte(0x20, 0x00, 0x0b).written.slice();
  }

  #check(out: ByteWriter): void {
    this.#get(out, this.#fuel).byte(0x42, 0x00, 0x53, 0x04, 0x40, 0x00, 0x0b);
  }

  #get(out: ByteWriter, global: number): ByteWriter {
    return out.byte(0x23).u32(global);
  }

  #set(out: ByteWriter, global: number): ByteWriter {
    return out.byte(0x24).u32(global);
  }
}
