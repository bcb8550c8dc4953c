import type { Static } from "typebox";
import type { Immutable } from "./immutable.js";
import type { MethodDefinition } from "./method.js";
import type { MethodCall } from "./method-call.js";

/** Methods by name. */
export type MethodTable = Readonly<Record<string, MethodDefinition>>;

type TableOf<Methods extends readonly MethodDefinition[]> = {
  readonly [Method in Methods[number] as Method["name"]]: Method;
};

/** Name of a method of a table. */
export type MethodName<Table extends MethodTable> = keyof Table & string;

/** Parameters of a method of a table. */
export type MethodParameters<Table extends MethodTable, Name extends MethodName<Table>> = Immutable<
  Static<Table[Name]["params"]>
>;

/** Result of a method of a table. */
export type MethodResult<Table extends MethodTable, Name extends MethodName<Table>> = Immutable<
  Static<Table[Name]["result"]>
>;

/** Calls a method of a table; all clients of a gateway have this type. */
export type CallMethod<Table extends MethodTable> = <Name extends MethodName<Table>>(
  name: Name,
  parameters: MethodParameters<Table, Name>,
) => Promise<MethodResult<Table, Name>>;

/** Implementations of the methods of a table, by name. */
export type MethodHandlers<Table extends MethodTable> = {
  readonly [Name in MethodName<Table>]: (
    parameters: MethodParameters<Table, Name>,
    call: MethodCall,
  ) => Promise<MethodResult<Table, Name>>;
};

/**
 * Returns a table of methods by name.
 * @param methods - definitions with different names
 */
export function methodTable<const Methods extends readonly MethodDefinition[]>(
  ...methods: Methods
): TableOf<Methods> {
  return Object.fromEntries(methods.map((method) => [method.name, method])) as TableOf<Methods>;
}
