import { describe, expect, it } from "vitest";
import { syscallFilter } from "../../../src/process/bubblewrap/syscall-filter.js";

const ALLOWED = 0x7fff_0000;
const EPERM = 0x0005_0001;
const ENOSYS = 0x0005_0026;
const X64 = 0xc000_003e;
const ARM64 = 0xc000_00b7;

/** Runs the program of a filter for one system call, as the kernel does. */
function verdict(filter: Buffer, arch: number, number: number, ...values: readonly number[]) {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number, 0);
  data.writeUInt32LE(arch, 4);
  for (const [index, value] of values.entries()) data.writeUInt32LE(value, 16 + index * 8);
  let accumulator = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const code = filter.readUInt16LE(at);
    const value = filter.readUInt32LE(at + 4);
    const jump = (isTrue: boolean) => {
      at += 8 * filter.readUInt8(at + (isTrue ? 2 : 3));
    };
    if (code === 0x20) accumulator = data.readUInt32LE(value);
    else if (code === 0x15) jump(accumulator === value);
    else if (code === 0x35) jump(accumulator >= value);
    else if (code === 0x45) jump((accumulator & value) !== 0);
    else if (code === 0x06) return value;
    else throw new Error(`unknown code ${code}`);
  }
  throw new Error("the filter has no end");
}

describe("syscallFilter", () => {
  const x64 = syscallFilter("x64") ?? Buffer.alloc(0);
  const arm64 = syscallFilter("arm64") ?? Buffer.alloc(0);

  it.each([
    ["ptrace", x64, X64, 101, [], EPERM],
    ["mount", x64, X64, 165, [], EPERM],
    ["unshare", x64, X64, 272, [], EPERM],
    ["bpf", x64, X64, 321, [], EPERM],
    ["clone3", x64, X64, 435, [], ENOSYS],
    ["clone with a namespace", x64, X64, 56, [0x1000_0011], EPERM],
    ["clone of a thread", x64, X64, 56, [0x003d_0f00], ALLOWED],
    ["a socket of a virtual machine", x64, X64, 41, [40], EPERM],
    ["a socket", x64, X64, 41, [1], ALLOWED],
    ["input for the terminal", x64, X64, 16, [0, 0x5412], EPERM],
    ["ioctl", x64, X64, 16, [0, 0x5401], ALLOWED],
    ["read", x64, X64, 0, [], ALLOWED],
    ["execve", x64, X64, 59, [], ALLOWED],
    ["a call of the second interface", x64, X64, 0x4000_0000, [], EPERM],
    ["a call of another architecture", x64, 0x4000_0003, 0, [], EPERM],
    ["ptrace", arm64, ARM64, 117, [], EPERM],
    ["clone with a namespace", arm64, ARM64, 220, [0x2000_0000], EPERM],
    ["read", arm64, ARM64, 63, [], ALLOWED],
  ] as const)("[TURN-262] decides %s", (_name, filter, arch, number, values, expected) => {
    expect(verdict(filter, arch, number, ...values)).toBe(expected);
  });

  it("has no filter for a processor whose numbers are not known", () => {
    expect(syscallFilter("riscv64")).toBeUndefined();
  });
});
