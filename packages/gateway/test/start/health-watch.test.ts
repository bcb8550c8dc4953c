import { createServer } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { HealthWatch, UNHEALTHY_EXIT } from "../../src/start/health-watch.js";

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Starts a server whose status a test changes, and a watch of it. */
async function watched(status: { now: number }, restore = () => false) {
  const server = createServer((_request, response) => {
    response.statusCode = status.now;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const end = vi.fn();
  const errors: string[] = [];
  const watch = new HealthWatch({
    url: () => `http://127.0.0.1:${port}/healthz`,
    restore,
    logger: { error: (line) => void errors.push(line) },
    end,
    intervalMs: 5,
  });
  closing.push(
    () => watch.stop(),
    () => server.close(),
  );
  return { end, errors };
}

describe("HealthWatch", () => {
  it("[GW-420] ends the process when /healthz fails three times in a row", async () => {
    const { end, errors } = await watched({ now: 404 });
    await vi.waitFor(() => expect(end).toHaveBeenCalledWith(UNHEALTHY_EXIT));
    expect(errors).toEqual([expect.stringContaining("cannot serve /healthz")]);
    expect(end).toHaveBeenCalledTimes(1);
  });

  it("[GW-420] restores before it asks and after a failure, and lives on when that helps", async () => {
    const status = { now: 404 };
    let restored = 0;
    const { end } = await watched(status, () => {
      restored += 1;
      if (restored > 2) status.now = 200;
      return true;
    });
    await vi.waitFor(() => expect(restored).toBeGreaterThan(8));
    expect(end).not.toHaveBeenCalled();
  });
});
