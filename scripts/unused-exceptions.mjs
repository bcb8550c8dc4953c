// Exports that no package uses yet, each with the step that will use it. `pnpm knip` loads this file: it removes the
// listed exports from the findings and fails when a listed export is used or gone.
import { stderr } from "node:process";

/** Exports by file, each with the step of the roadmap that will use it, or another reason. */
const EXCEPTIONS = {
  "packages/foundation/src/index.ts": {
    Defined: "step 8, exact optional fields",
    ErrorKindMapping: "step 8, one error family",
    JsonData: "step 8, canonical JSON",
  },
  "scripts/docs-site/links.mjs": {
    headingId: "used by the configuration of tools/docs-site",
  },
  // A kind of tool without an entry does not compile.
  "packages/gateway/src/diagnostics/guard-proof-paths.ts": {
    PATH_OF_KIND: "checked by the compiler",
  },
};

/**
 * Removes the exceptions from the findings.
 * @param {import("knip").ReporterOptions} options - findings of knip
 */
export default function withoutExceptions(options) {
  const { issues, counters } = options;
  for (const [file, exceptions] of Object.entries(EXCEPTIONS)) {
    for (const name of Object.keys(exceptions)) {
      const kind = ["exports", "types"].find((one) => name in (issues[one][file] ?? {}));
      if (kind === undefined) {
        stderr.write(`${file}: ${name} is used or gone. Delete it from ${import.meta.filename}.\n`);
        process.exitCode = 1;
        continue;
      }
      delete issues[kind][file][name];
      counters[kind] -= 1;
      counters.total -= 1;
    }
  }
  return options;
}
