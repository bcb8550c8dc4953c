// A simulation of nodes on one database, from the costs of one turn. It is TypeScript, so that the check of types finds
// costs that the benchmark no longer gives; Node runs the file as it is.

/** Measured costs of one turn. */
export interface TurnCosts {
  /** Processor time of a node, all its threads together. */
  readonly nodeMs: number;
  /** The part of the thread that has the turns; a node has one. */
  readonly threadMs: number;
  /** Processor time of the database. */
  readonly databaseMs: number;
  /** Transactions that the turn waits for, one after another. */
  readonly commits: number;
  /** Time of one flush of the database's log. A flush carries every commit that waits when it begins. */
  readonly flushMs: number;
  /** Time of one statement, from the node to the database and back. */
  readonly roundTripMs: number;
}

/** The machines. */
export interface Machines {
  readonly nodes: number;
  /** Cores of the nodes, all together. */
  readonly nodeCores: number;
  /** Cores that the database has for itself; 0: it shares those of the nodes. */
  readonly databaseCores: number;
  /** Sessions with a turn at all times. */
  readonly sessions: number;
}

/** Turns per second, and the share of the time that each part was busy. */
export interface Capacity {
  readonly turnsPerSecond: number;
  readonly nodesBusy: number;
  readonly databaseBusy: number;
  readonly logBusy: number;
  /** Share of the row with the sum of the tokens of an agent, which all turns add to. */
  readonly sumBusy: number;
}

const SIMULATED_MS = 20_000;

/** A part that works on a number of tasks at once, and on the others in their order. */
class Station {
  #free: number;
  readonly #waiting: (() => void)[] = [];
  readonly #agenda: Agenda;
  busyMs = 0;

  constructor(servers: number, agenda: Agenda) {
    this.#free = servers;
    this.#agenda = agenda;
  }

  /** Begins as soon as a server is free; it is held until the task calls what it is given. */
  hold(task: (release: () => void) => void): void {
    const begin = () => {
      this.#free -= 1;
      const since = this.#agenda.now;
      task(() => {
        this.#free += 1;
        this.busyMs += this.#agenda.now - since;
        this.#waiting.shift()?.();
      });
    };
    if (this.#free > 0) begin();
    else this.#waiting.push(begin);
  }

  work(ms: number, done: () => void): void {
    this.hold((release) =>
      this.#agenda.after(ms, () => {
        release();
        done();
      }),
    );
  }
}

/** The log of the database: one flush at a time, for all that wait. */
class Log {
  #isFlushing = false;
  #waiting: (() => void)[] = [];
  readonly #flushMs: number;
  busyMs = 0;

  constructor(flushMs: number) {
    this.#flushMs = flushMs;
  }

  flush(at: Agenda, done: () => void): void {
    this.#waiting.push(done);
    if (!this.#isFlushing) this.#begin(at);
  }

  #begin(at: Agenda): void {
    const carried = this.#waiting;
    this.#waiting = [];
    this.#isFlushing = true;
    this.busyMs += this.#flushMs;
    at.after(this.#flushMs, () => {
      this.#isFlushing = false;
      for (const done of carried) done();
      if (this.#waiting.length > 0 && !this.#isFlushing) this.#begin(at);
    });
  }
}

/** Events that happen next, by time: a heap, because it holds an entry for each session. */
class Agenda {
  now = 0;
  readonly #heap: { readonly at: number; readonly happens: () => void }[] = [];

  after(ms: number, happens: () => void): void {
    const heap = this.#heap;
    heap.push({ at: this.now + ms, happens });
    let place = heap.length - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (this.#at(parent) <= this.#at(place)) return;
      this.#swap(parent, place);
      place = parent;
    }
  }

  runUntil(end: number): void {
    while (this.#heap.length > 0 && this.#at(0) <= end) {
      this.#swap(0, this.#heap.length - 1);
      const next = this.#heap.pop();
      this.#sink();
      if (next === undefined) return;
      this.now = next.at;
      next.happens();
    }
    this.now = end;
  }

  #sink(): void {
    for (let place = 0; ; ) {
      const left = 2 * place + 1;
      const least = this.#at(left + 1) < this.#at(left) ? left + 1 : left;
      if (this.#at(least) >= this.#at(place)) return;
      this.#swap(place, least);
      place = least;
    }
  }

  #at(place: number): number {
    return this.#heap[place]?.at ?? Number.POSITIVE_INFINITY;
  }

  #swap(one: number, other: number): void {
    const first = this.#heap[one];
    const second = this.#heap[other];
    if (first === undefined || second === undefined) return;
    this.#heap[one] = second;
    this.#heap[other] = first;
  }
}

/**
 * Simulates sessions that have one turn after another. A turn works in the one thread of its node, and for each of its
 * commits in the database, and waits for the log. Each of them needs a core; what a node does outside of its thread (its
 * garbage collection, its files) needs one too.
 * @param costs - costs of one turn, in milliseconds
 * @param machines - nodes, cores and sessions
 */
export function simulate(costs: TurnCosts, machines: Machines): Capacity {
  const agenda = new Agenda();
  const log = new Log(costs.flushMs);
  const sum = new Station(1, agenda);
  const threads = Array.from({ length: machines.nodes }, () => new Station(1, agenda));
  const cores = new Station(machines.nodeCores, agenda);
  const database = machines.databaseCores > 0 ? new Station(machines.databaseCores, agenda) : cores;
  const parts = costs.commits + 1;
  const [threadMs, besideMs, databaseMs] = [
    costs.threadMs / parts,
    (costs.nodeMs - costs.threadMs) / parts,
    costs.databaseMs / costs.commits,
  ];
  let commits = 0;
  let turns = 0;

  const part = (thread: Station, number: number) => {
    const after = () => {
      if (number === costs.commits) {
        turns += 1;
        part(thread, 0);
        return;
      }
      database.work(databaseMs, () => {
        commits += 1;
        const next = () => part(thread, number + 1);
        if (number !== 0) log.flush(agenda, next);
        // Once in each turn a transaction changes the sum, and others wait for that row until its commit.
        else
          sum.hold((release) =>
            agenda.after(costs.roundTripMs, () =>
              log.flush(agenda, () => {
                release();
                next();
              }),
            ),
          );
      });
    };
    thread.hold((release) =>
      cores.work(threadMs, () => {
        release();
        cores.work(besideMs, () => undefined);
        after();
      }),
    );
  };
  for (let session = 0; session < machines.sessions; session += 1) {
    const thread = threads[session % threads.length];
    if (thread !== undefined) part(thread, 0);
  }
  agenda.runUntil(SIMULATED_MS);
  const threadsMs = threads.reduce((sum, { busyMs }) => sum + busyMs, 0);
  return {
    turnsPerSecond: turns / (SIMULATED_MS / 1000),
    nodesBusy: threadsMs / SIMULATED_MS / machines.nodes,
    databaseBusy:
      (commits * databaseMs) / SIMULATED_MS / (machines.databaseCores || machines.nodeCores),
    logBusy: log.busyMs / SIMULATED_MS,
    sumBusy: sum.busyMs / SIMULATED_MS,
  };
}
