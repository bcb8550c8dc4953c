import { env } from "node:process";
import { nearestName } from "@openclaw/foundation";
import type { MethodDefinition } from "../definition/method.js";
import { type MethodCall, OPERATOR_CALL } from "../definition/method-call.js";
import type {
  MethodHandlers,
  MethodName,
  MethodParameters,
  MethodResult,
  MethodTable,
} from "../definition/method-table.js";
import { includesScope } from "../definition/scope.js";
import { InvalidRequestError, MethodNotFoundError, MissingScopeError } from "./errors.js";
import { idIssues, parameterIssues } from "./parameter-issue.js";
import { validatorOf } from "./validator-of.js";

/** Set to `1` by the tests of the repository: results and failures are checked against the definitions. */
const CHECKED = "OPENCLAW_TEST_METHODS";

/** A method with its implementation. */
interface Implementation {
  readonly definition: MethodDefinition;
  readonly accepts: (parameters: unknown) => boolean;
  readonly run: (parameters: unknown, call: MethodCall) => Promise<unknown>;
}

/**
 * Methods with their implementations. Each package creates a registry of the methods that it implements, and
 * the host joins them. Every call passes the same check of its parameters, in the process and over the wire.
 */
export class MethodRegistry<Table extends MethodTable = MethodTable> {
  /** Definitions of the methods, by name. */
  readonly definitions: Table;
  readonly #methods: ReadonlyMap<string, Implementation>;

  private constructor(definitions: Table, methods: ReadonlyMap<string, Implementation>) {
    this.definitions = definitions;
    this.#methods = methods;
  }

  /**
   * Returns a registry of the methods of this one and of another.
   * @param other - registry of methods with other names
   * @throws TypeError when both have a method of the same name
   */
  with<Added extends MethodTable>(other: MethodRegistry<Added>): MethodRegistry<Table & Added> {
    const twice = Object.keys(other.definitions).find((name) => this.#methods.has(name));
    if (twice !== undefined) throw new TypeError(`the method ${twice} is implemented twice`);
    const definitions = { ...this.definitions, ...other.definitions };
    return new MethodRegistry(definitions, new Map([...this.#methods, ...other.#methods]));
  }

  /**
   * Calls a method as the operator, in this process.
   * @param name - name of the method
   * @throws InvalidRequestError when the parameters do not match the schema
   */
  async call<Name extends MethodName<Table>>(
    name: Name,
    parameters: MethodParameters<Table, Name>,
  ): Promise<MethodResult<Table, Name>> {
    // The definition determined the type of the implementation when it was registered.
    return (await this.dispatch(name, parameters, OPERATOR_CALL)) as MethodResult<Table, Name>;
  }

  /**
   * Calls a method with a name and parameters from outside.
   * @param name - name from the caller
   * @param parameters - parsed JSON
   * @param call - caller with its scopes
   * @throws MethodNotFoundError, MissingScopeError, InvalidRequestError
   */
  async dispatch(name: string, parameters: unknown, call: MethodCall): Promise<unknown> {
    const method = this.#methods.get(name);
    if (method === undefined) {
      throw new MethodNotFoundError(name, nearestName(name, [...this.#methods.keys()]));
    }
    const { id, scopes } = call.caller;
    const { definition } = method;
    if (!includesScope(scopes, definition.scope)) {
      throw new MissingScopeError(name, definition.scope, id);
    }
    if (!method.accepts(parameters)) {
      throw new InvalidRequestError(name, parameterIssues(definition.params, parameters));
    }
    const unusable = idIssues(definition.params, parameters);
    if (unusable.length > 0) throw new InvalidRequestError(name, unusable);
    return env[CHECKED] === "1"
      ? runChecked(method, parameters, call)
      : method.run(parameters, call);
  }

  /**
   * Returns the definition of a method.
   * @param name - name from the caller
   * @returns undefined when there is no such method
   */
  definition(name: string): MethodDefinition | undefined {
    return this.#methods.get(name)?.definition;
  }

  /**
   * Creates a registry.
   * @param table - definitions of the methods
   * @param handlers - their implementations; each receives parameters that its schema accepts
   */
  static of<Table extends MethodTable>(
    table: Table,
    handlers: MethodHandlers<Table>,
  ): MethodRegistry<Table> {
    // The type of the handlers requires one for every name of the table.
    const runs = handlers as Readonly<Record<string, Implementation["run"]>>;
    const methods = Object.entries(table).map(([name, definition]) => {
      const run = runs[name];
      if (run === undefined) throw new TypeError(`the method ${name} has no implementation`);
      return [name, { definition, run, accepts: lazyCheck(definition) }] as const;
    });
    return new MethodRegistry(table, new Map(methods));
  }
}

function lazyCheck({ params }: MethodDefinition): Implementation["accepts"] {
  const validator = validatorOf(params);
  return (parameters) => validator().Check(parameters);
}

async function runChecked(
  { definition, run }: Implementation,
  parameters: unknown,
  call: MethodCall,
) {
  const { checkFailure, checkResult } = await import("./outcome-check.js");
  let result: unknown;
  try {
    result = await run(parameters, call);
  } catch (failure) {
    checkFailure(definition, failure);
    throw failure;
  }
  checkResult(definition, result);
  return result;
}
