import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Commands that write followed files, or get names of files from others. */
export const FOLLOWED_FILES = mutantsOf("packages/core-tools", [
  {
    source: "process/literal/listed-names.ts",
    noticedBy: ["process/literal/listed-names"],
    mutants: [
      ["listed-name-is-an-option", "APPR-940", "if (UNUSUAL.test(name)) throw", "if (false) throw"],
      [
        "listed-name-leads-out",
        "APPR-940",
        "if (!(await paths.isInside(real))) throw",
        "if (false) throw",
      ],
    ],
  },
  {
    source: "process/followed-writes.ts",
    noticedBy: ["process/followed-writes"],
    mutants: [
      [
        "command-writes-a-file-as-if-it-were-a-stream",
        "APPR-280",
        'return operator.endsWith("&") && /^',
        'return operator.endsWith("&") || /^',
      ],
      ["command-writes-followed-files-under-a-grant", "APPR-280", "asksEachTime: true,", ""],
      [
        "command-writes-through-a-new-link",
        "APPR-280",
        "if (first !== undefined) throw followedRefusal",
        "if (false) throw followedRefusal",
      ],
    ],
  },
  {
    source: "process/bubblewrap/created-files.ts",
    noticedBy: ["process/bubblewrap/created-files"],
    mutants: [
      [
        "command-creates-a-repository-in-a-loop",
        "TURN-261",
        "if (this.#renamed.includes(path) ||",
        "if (",
      ],
      [
        "created-files-stay-after-the-command",
        "TURN-261",
        "await this.#queue(() => this.#rename(this.#place.folders));\n    return",
        "return",
      ],
    ],
  },
  {
    source: "process/bubblewrap/followed-search.ts",
    noticedBy: ["process/bubblewrap/created-files"],
    mutants: [
      [
        "changed-file-stays",
        "TURN-261",
        "isFixed || stats.isDirectory() ? file : `${file}:${stats.ctimeMs}`",
        "file",
      ],
    ],
  },
]);
