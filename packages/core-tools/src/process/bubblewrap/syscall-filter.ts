/** Numbers of a system call on x86-64 and on ARM64; undefined where it does not exist. */
type Numbers = readonly [x64: number, arm64: number | undefined];

/**
 * System calls that no ordinary program needs, and through which flaws of the kernel are reached: other processes and
 * their memory, keys, mounts, namespaces, modules, devices, the clock, and interfaces that pass unfiltered calls.
 */
const DENIED: Readonly<Record<string, Numbers>> = {
  acct: [163, 89],
  add_key: [248, 217],
  adjtimex: [159, 171],
  bpf: [321, 280],
  chroot: [161, 51],
  clock_adjtime: [305, 266],
  clock_settime: [227, 112],
  delete_module: [176, 106],
  finit_module: [313, 273],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fsopen: [430, 430],
  fspick: [433, 433],
  init_module: [175, 105],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  io_uring_setup: [425, 425],
  ioperm: [173, undefined],
  iopl: [172, undefined],
  kexec_file_load: [320, 294],
  kexec_load: [246, 104],
  keyctl: [250, 219],
  modify_ldt: [154, undefined],
  mount: [165, 40],
  mount_setattr: [442, 442],
  move_mount: [429, 429],
  open_by_handle_at: [304, 265],
  open_tree: [428, 428],
  perf_event_open: [298, 241],
  pidfd_getfd: [438, 438],
  pivot_root: [155, 41],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  ptrace: [101, 117],
  quotactl: [179, 60],
  reboot: [169, 142],
  request_key: [249, 218],
  setns: [308, 268],
  settimeofday: [164, 170],
  swapoff: [168, 225],
  swapon: [167, 224],
  syslog: [103, 116],
  umount2: [166, 39],
  unshare: [272, 97],
  userfaultfd: [323, 282],
};
/** C libraries call `clone` instead, whose flags the filter can read. */
const UNKNOWN: readonly Numbers[] = [[435, 435]];
/** Calls that are denied for some values of an argument. */
const DENIED_VALUES: readonly {
  readonly call: Numbers;
  readonly argument: number;
  readonly test: "equals" | "has";
  readonly value: number;
}[] = [
  // New namespaces.
  { call: [56, 220], argument: 0, test: "has", value: 0x7e02_0000 },
  // Sockets to the host of a virtual machine, which no network namespace separates.
  { call: [41, 198], argument: 0, test: "equals", value: 40 },
  // Input for the terminal.
  { call: [16, 29], argument: 1, test: "equals", value: 0x5412 },
  { call: [16, 29], argument: 1, test: "equals", value: 0x541c },
];

const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const JUMP_HAS = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff_0000;
const ERROR = 0x0005_0000;
const EPERM = 1;
const ENOSYS = 38;
const NUMBER_OFFSET = 0;
const ARCHITECTURE_OFFSET = 4;
const ARGUMENTS_OFFSET = 16;
const ARGUMENT_BYTES = 8;
const INSTRUCTION_BYTES = 8;
/** Numbers of the second interface of x86-64, which would bypass the list. */
const X32 = 0x4000_0000;
const ARCHITECTURES = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const;

type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, value: number];

/**
 * Returns the program of the filter of system calls, as bubblewrap passes it to the kernel: denied calls fail, and calls of
 * another architecture too.
 * @param architecture - value of `process.arch`
 * @returns undefined for a processor whose numbers are not known
 */
export function syscallFilter(architecture: string): Buffer | undefined {
  if (architecture !== "x64" && architecture !== "arm64") return undefined;
  const own = ([x64, arm64]: Numbers) => (architecture === "x64" ? x64 : arm64);
  const program: Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE_OFFSET],
    [JUMP_EQUAL, 1, 0, ARCHITECTURES[architecture]],
    fails(EPERM),
    [LOAD, 0, 0, NUMBER_OFFSET],
  ];
  if (architecture === "x64") program.push([JUMP_AT_LEAST, 0, 1, X32], fails(EPERM));
  const deny = (numbers: readonly Numbers[], error: number) => {
    for (const number of numbers.map(own)) {
      if (number !== undefined) program.push([JUMP_EQUAL, 0, 1, number], fails(error));
    }
  };
  deny(Object.values(DENIED), EPERM);
  deny(UNKNOWN, ENOSYS);
  for (const { call, argument, test, value } of DENIED_VALUES) {
    const number = own(call);
    if (number === undefined) continue;
    program.push(
      [JUMP_EQUAL, 0, 4, number],
      [LOAD, 0, 0, ARGUMENTS_OFFSET + argument * ARGUMENT_BYTES],
      [test === "has" ? JUMP_HAS : JUMP_EQUAL, 0, 1, value],
      fails(EPERM),
      [LOAD, 0, 0, NUMBER_OFFSET],
    );
  }
  program.push([RETURN, 0, 0, ALLOW]);
  return encoded(program);
}

function fails(error: number): Instruction {
  return [RETURN, 0, 0, ERROR | error];
}

function encoded(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * INSTRUCTION_BYTES);
  for (const [index, [code, whenTrue, whenFalse, value]] of program.entries()) {
    const at = index * INSTRUCTION_BYTES;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(whenTrue, at + 2);
    bytes.writeUInt8(whenFalse, at + 3);
    bytes.writeUInt32LE(value >>> 0, at + 4);
  }
  return bytes;
}
