import { setTimeout as delay } from "node:timers/promises";
import { isErrorOfClass, KeyedMutex } from "@openclaw/foundation";
import { acquireStateLock, type StateLock } from "@openclaw/store";
import { ConfigurationBusyError } from "../errors.js";

/** Time to wait for another process that changes the same file. */
const WAIT_MS = 5000;
const POLL_MS = 20;

const inProcess = new KeyedMutex();

/**
 * Runs work while no other process of this product changes a configuration, so that of two changes none is
 * lost. The kernel frees the lock when the process ends.
 * @param file - real path of the main file
 * @param work - reads the files and replaces them
 * @throws ConfigurationBusyError when another process holds the lock for more than 5 s
 */
export async function withConfigurationLock<Result>(
  file: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return inProcess.run(file, async () => {
    const lock = await acquire(file);
    try {
      return await work();
    } finally {
      await lock.release();
    }
  });
}

async function acquire(file: string): Promise<StateLock> {
  const began = Date.now();
  for (;;) {
    try {
      return await acquireStateLock(`${file}.lock`, { pid: process.pid, startedAt: began });
    } catch (error) {
      if (!isErrorOfClass(error, "STATE_LOCKED")) throw error;
      if (Date.now() - began > WAIT_MS) throw new ConfigurationBusyError(file, error);
      await delay(POLL_MS);
    }
  }
}
