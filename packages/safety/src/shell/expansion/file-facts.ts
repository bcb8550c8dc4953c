import type { FileFacts } from "./expanded-command.js";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const UNITS: Readonly<Record<string, number>> = {
  "": 512,
  b: 512,
  c: 1,
  w: 2,
  k: 1024,
  M: 1024 ** 2,
  G: 1024 ** 3,
};

/**
 * Returns the condition of `find` about size or time of a file; undefined for another one.
 * @param word - name of the condition
 * @param nowMs - current time
 * @param times - when the files that `-newer` names changed
 */
export function factCondition(
  word: string,
  value: string,
  nowMs: number,
  times: ReadonlyMap<string, number>,
): ((facts: FileFacts) => boolean) | undefined {
  if (word === "-newer") {
    const limit = times.get(value);
    return limit === undefined ? undefined : ({ modifiedMs }) => modifiedMs > limit;
  }
  const [, sign = "", number, unit = ""] = /^([+-]?)(\d{1,9})([bcwkMG]?)$/.exec(value) ?? [];
  if (number === undefined) return undefined;
  const compare = (found: number) => {
    if (sign === "+") return found > Number(number);
    return sign === "-" ? found < Number(number) : found === Number(number);
  };
  switch (word) {
    case "-size":
      // Counted in started units.
      return ({ size }) => compare(Math.ceil(size / (UNITS[unit] ?? 1)));
    case "-mtime":
      return unit === ""
        ? ({ modifiedMs }) => compare(Math.floor((nowMs - modifiedMs) / DAY_MS))
        : undefined;
    case "-mmin": {
      if (unit !== "") return undefined;
      const age = ({ modifiedMs }: FileFacts) => (nowMs - modifiedMs) / MINUTE_MS;
      return sign === ""
        ? (facts) => compare(Math.ceil(age(facts)))
        : (facts) => compare(age(facts));
    }
    default:
      return undefined;
  }
}
