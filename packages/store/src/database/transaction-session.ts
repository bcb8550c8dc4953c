import { AsyncLocalStorage } from "node:async_hooks";

const sessions = new AsyncLocalStorage<string | undefined>();

/**
 * Begins a transaction as one of a session. The query builder has no parameter for it; the work of the transaction does
 * not see it.
 * @param session - the session; undefined for a transaction that runs alone
 * @param begin - begins the transaction and does its work
 */
export function beginOfSession<Result>(
  session: string | undefined,
  begin: () => Promise<Result>,
): Promise<Result> {
  return session === undefined ? begin() : sessions.run(session, begin);
}

/** Returns the session of the transaction that begins; undefined for one that runs alone. */
export function sessionOfBegin(): string | undefined {
  return sessions.getStore();
}

/** Does the work of a transaction, whose own transactions on other databases are not of its session. */
export function workOfTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
  return sessions.getStore() === undefined ? work() : sessions.run(undefined, work);
}
