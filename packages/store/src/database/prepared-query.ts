import type { Compilable, CompiledQuery, Kysely } from "kysely";
import type { Schema } from "./schema.js";
import type { UnitOfWork } from "./unit-of-work.js";

/** Placeholder for a parameter value while a query is built. */
class Placeholder {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/** Returns the placeholder of a parameter while a query is built. */
type Parameter<Parameters> = <Name extends keyof Parameters>(name: Name) => Parameters[Name];

/**
 * Returns a query that is built and compiled once for each database. Building and compiling take
 * longer than most queries run, so use it for the queries that every turn runs several times; write
 * any other query directly, which is easier to read.
 *
 * SQLite still plans a query each time it runs when the plan may depend on a parameter. To avoid
 * that, compare a key that is also used for ordering or joining as `in (value)` instead of `=
 * value`, and write a limit as a literal.
 * @param build - builds the query, with `parameter(name)` for each value
 * @returns a function that runs the query in a unit of work and returns its rows
 */
export function preparedQuery<Parameters extends object, Row>(
  build: (query: Kysely<Schema>, parameter: Parameter<Parameters>) => Compilable<Row>,
): (unit: UnitOfWork, parameters: Parameters) => Promise<readonly Row[]> {
  const compiledIn = (unit: UnitOfWork): CompiledQuery => {
    // The builder only stores its arguments; no value is read before the query runs.
    const made = build(unit.query(), (name) => new Placeholder(name) as never).compile();
    unit.compiled.set(build, made);
    return made;
  };

  return async (unit, parameters) => {
    const compiled = unit.compiled.get(build) ?? compiledIn(unit);
    const values = compiled.parameters.map((value) =>
      value instanceof Placeholder ? Reflect.get(parameters, value.name) : value,
    );
    const { query, queryId, sql } = compiled;
    const { rows } = await unit.run<Row>({ query, queryId, sql, parameters: values });
    return rows;
  };
}
