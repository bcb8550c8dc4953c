import type { TestProject } from "vitest/node";
import { type PostgresServer, startPostgres } from "./postgres-server.js";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of a PostgreSQL server for tests; absent when the store uses SQLite. */
    postgresUrl?: string;
  }
}

/** Matches no title. */
const NO_TEST = /(?!)/;

/** Members of a project that the set-up uses. */
export type SkippableProject = Pick<TestProject, "name" | "provide"> & {
  readonly config: { testNamePattern?: RegExp | undefined };
  readonly vitest: { readonly logger: { warn(text: string): void } };
};

/** Runs a server for a test run; `OPENCLAW_TEST_POSTGRES_URL` selects an existing one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.OPENCLAW_TEST_POSTGRES_URL;
  if (given === undefined) return provideServer(project, startPostgres);
  project.provide("postgresUrl", given);
  return async () => {};
}

/**
 * Gives the tests of the project a server. On a machine that cannot run one they are skipped, and the reason is printed
 * before the tests and again below their results. In CI the run fails then, after the other tests.
 * @param project - project of the tests
 * @param fail - called after the tests when a server is required and there was none
 * @returns removes the server
 */
export async function provideServer(
  project: SkippableProject,
  start: () => Promise<PostgresServer>,
  fail: () => void = failInCi,
): Promise<() => Promise<void>> {
  try {
    const server = await start();
    project.provide("postgresUrl", server.url);
    return () => server.remove();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const warn = () =>
      project.vitest.logger.warn(
        `The tests of the project "${project.name}" are skipped, because no PostgreSQL server could be started: ` +
          `${reason}\nSet OPENCLAW_TEST_POSTGRES_URL to the URL of a server to run them.`,
      );
    project.config.testNamePattern = NO_TEST;
    warn();
    return async () => {
      warn();
      fail();
    };
  }
}

function failInCi(): void {
  if (process.env.CI !== undefined) process.exitCode = 1;
}
