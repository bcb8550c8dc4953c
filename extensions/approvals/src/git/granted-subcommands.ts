import type { ProgramTable } from "../reading/program-table.js";

const ANY = /^.*$/su;

/**
 * Subcommands of git that change the repository, with the options that a grant for them covers. None
 * of these options names a program, a file outside the working tree or another repository:
 * operands of `push` and `fetch` can be a folder whose hooks git would run.
 */
export const GRANTED_SUBCOMMANDS: ReadonlyMap<string, ProgramTable> = new Map(
  Object.entries<ProgramTable>({
    add: {
      flags: "Anuv",
      long: {
        "--all": null,
        "--dry-run": null,
        "--intent-to-add": null,
        "--update": null,
        "--verbose": null,
      },
      operands: "text",
    },
    commit: {
      flags: "aqs",
      values: { m: ANY },
      long: {
        "--all": null,
        "--allow-empty": null,
        "--amend": null,
        "--message": ANY,
        "--no-edit": null,
        "--quiet": null,
        "--signoff": null,
      },
      operands: "text",
    },
    fetch: {
      flags: "apqtv",
      long: { "--all": null, "--prune": null, "--quiet": null, "--tags": null, "--verbose": null },
      operands: "text",
      most: 0,
    },
    push: {
      flags: "nqv",
      long: { "--dry-run": null, "--quiet": null, "--tags": null, "--verbose": null },
      operands: "text",
      most: 0,
    },
  }),
);
