import type { Compilable, CompiledQuery, Kysely } from "kysely";
import type { Schema } from "./schema.js";
import type { UnitOfWork } from "./unit-of-work.js";

/** Stands for a value while a query is built. */
class Placeholder {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/** Gives what stands for a value while a query is built. */
type Parameter<Parameters> = <Name extends keyof Parameters>(name: Name) => Parameters[Name];

/**
 * A query that is built and compiled once for each database. Both take longer than most queries run, so
 * those that every turn makes several times are made this way; any other is simpler to read as it is.
 *
 * SQLite would still plan a query again each time it runs when its plan may depend on a value. It does not
 * when a key that is also ordered by or joined over is compared as `in (value)`, not `= value`, and when a
 * limit is a literal.
 * @param build - builds the query, with `parameter(name)` in the place of each value
 * @returns runs it in a unit of work and gives its rows
 */
export function preparedQuery<Parameters extends object, Row>(
  build: (query: Kysely<Schema>, parameter: Parameter<Parameters>) => Compilable<Row>,
): (unit: UnitOfWork, parameters: Parameters) => Promise<readonly Row[]> {
  const compiledIn = ({ compiled }: UnitOfWork, query: Kysely<Schema>): CompiledQuery => {
    const known = compiled.get(build);
    if (known !== undefined) return known;
    // The builder only stores what it is given; no value is read before the query runs.
    const made = build(query, (name) => new Placeholder(name) as never).compile();
    compiled.set(build, made);
    return made;
  };

  return async (unit, parameters) => {
    const query = unit.query();
    const compiled = compiledIn(unit, query);
    const values = compiled.parameters.map((value) =>
      value instanceof Placeholder ? Reflect.get(parameters, value.name) : value,
    );
    const { rows } = await query.executeQuery<Row>({
      ...compiled,
      parameters: values,
    } as CompiledQuery<Row>);
    return rows;
  };
}
