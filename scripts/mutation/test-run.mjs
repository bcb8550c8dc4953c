import { join } from "node:path";
import { createVitest } from "vitest/node";

/** No set of tests of a mutant needs as long; one that does hangs. */
const DEADLINE_MS = 300_000;
const CLOSE_MS = 10_000;

/** Runs test files of a copy of the checkout, each run in a new worker. Sources are transformed once. */
export class TestRunner {
  #folder;
  #projects;
  #vitest;

  /**
   * @param folder - the copy
   * @param projects - vitest projects of the tests
   */
  constructor(folder, projects) {
    this.#folder = folder;
    this.#projects = projects;
  }

  /**
   * Runs test files until the first failure.
   * @param tests - vitest project and files
   * @returns `survived` when every test passed; `killed` when a test failed, hung or left an error behind; `broken` when
   *   the files did not load or hold no test, which says nothing of the tests
   */
  async run({ project, files }) {
    this.#vitest ??= await this.#open();
    const vitest = this.#vitest;
    const paths = new Set(files.map((file) => join(this.#folder, file)));
    const specifications = (await vitest.globTestSpecifications(files)).filter(
      ({ project: { name }, moduleId }) => name === project && paths.has(moduleId),
    );
    if (specifications.length < paths.size) {
      return { status: "broken", noticedBy: `project ${project} does not have every file` };
    }
    const result = await withinDeadline(vitest.runTestSpecifications(specifications), DEADLINE_MS);
    if (result === undefined) {
      await this.close();
      return { status: "killed", noticedBy: "the tests do not end" };
    }
    // The runner also reports the modules of earlier runs.
    const modules = result.testModules.filter(({ moduleId }) => paths.has(moduleId));
    return verdictOf(modules, result.unhandledErrors);
  }

  /** Takes up a change of a source file. */
  changed(file) {
    this.#vitest?.invalidateFile(join(this.#folder, file));
  }

  async close() {
    const vitest = this.#vitest;
    this.#vitest = undefined;
    if (vitest !== undefined) await withinDeadline(vitest.close(), CLOSE_MS);
  }

  async #open() {
    return await createVitest("test", {
      root: this.#folder,
      config: join(this.#folder, "vitest.config.ts"),
      project: this.#projects,
      watch: false,
      typecheck: { enabled: false },
      maxWorkers: 1,
      bail: 1,
      reporters: [{}],
    });
  }
}

function verdictOf(modules, unhandledErrors) {
  for (const module of modules) {
    const [failed] = module.children.allTests("failed");
    if (failed !== undefined) return { status: "killed", noticedBy: failed.fullName };
  }
  const unloaded = modules.find((module) => module.state() === "failed");
  if (unloaded !== undefined) {
    const [error] = unloaded.errors();
    return { status: "broken", noticedBy: `${unloaded.moduleId}: ${error?.message}` };
  }
  if (unhandledErrors.length > 0) {
    return { status: "killed", noticedBy: "an error that no test caught" };
  }
  const passed = modules.some((module) => !module.children.allTests("passed").next().done);
  return passed
    ? { status: "survived" }
    : { status: "broken", noticedBy: "the files hold no test that runs" };
}

async function withinDeadline(work, ms) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
