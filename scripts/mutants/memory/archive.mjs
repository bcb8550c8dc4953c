import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Mutants of the part of a conversation that goes to the daily note, and of its heading. */
export const ARCHIVED_CONVERSATIONS = mutantsOf(
  "extensions/memory",
  [
    {
      source: "turns/archive.ts",
      noticedBy: ["archive"],
      mutants: [
        ["summary-has-another-heading", "SUB-038", "`Context Summary (", "`Summary ("],
        [
          "heading-has-no-time",
          "SUB-038",
          "`Context Summary (${utcTime(now())} UTC)`",
          '"Context Summary"',
        ],
        ["heading-has-another-time", "SUB-038", "slice(11, 16)", "slice(14, 19)"],
        ["moved-turns-have-another-heading", "SUB-038", '"Archived Context"', '"Archive"'],
        [
          "summary-is-under-the-heading-of-moved-turns",
          "SUB-038",
          "summary === undefined ? ARCHIVE_TITLE",
          "archivedEntry ? ARCHIVE_TITLE",
        ],
        [
          "text-from-outside-is-remembered",
          "MEM-040",
          "const text = withoutExternalText(messageText(message));",
          "const text = messageText(message);",
        ],
        [
          "run-is-archived-twice",
          "MEM-040",
          "if (today !== undefined && hasArchive(today.content, runId)) return;",
          "",
        ],
      ],
    },
  ],
  "extensions",
);
