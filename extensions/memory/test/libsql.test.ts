import { describeMemory } from "./support/memory-suite.js";
import { temporaryFolder } from "./support/temporary-folder.js";

describeMemory({
  name: "libSQL",
  dialect: "sqlite",
  vectors: "libsql",
  place: () => ({ folder: temporaryFolder(), files: "libsql" }),
});
