import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Commands that write followed files. */
export const FOLLOWED_FILES = mutantsOf("packages/core-tools", [
  {
    source: "process/followed-writes.ts",
    noticedBy: ["process/followed-writes"],
    mutants: [
      ["command-writes-followed-files-under-a-grant", "APPR-280", "asksEachTime: true,", ""],
      [
        "command-writes-through-a-new-link",
        "APPR-280",
        "if (first !== undefined) throw followedRefusal",
        "if (false) throw followedRefusal",
      ],
    ],
  },
]);
