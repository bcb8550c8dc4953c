import type { ArithmeticExpression } from "unbash";
import { NotExpandable } from "./expanded-command.js";

const NUMBER = /^-?(?:0|[1-9]\d{0,14})$/;
const NAME = /^\$?\{?([A-Za-z_]\w*)\}?$/;

/**
 * Computes an arithmetic expression of literal numbers and variables with numbers.
 * @param expression - as parsed by the grammar
 * @param variable - returns the value of a variable
 * @throws NotExpandable for assignments, other variables and results that are not exact
 */
export function compute(
  expression: ArithmeticExpression | undefined,
  variable: (name: string) => string,
): number {
  switch (expression?.type) {
    case "ArithmeticWord": {
      const name = NAME.exec(expression.value)?.[1];
      const text = name === undefined ? expression.value : variable(name).trim();
      if (!NUMBER.test(text)) throw new NotExpandable("not a number");
      return Number(text);
    }
    case "ArithmeticGroup":
      return compute(expression.expression, variable);
    case "ArithmeticUnary": {
      const value = compute(expression.operand, variable);
      if (expression.operator === "-") return -value;
      if (expression.operator === "+") return value;
      throw new NotExpandable(expression.operator);
    }
    case "ArithmeticTernary":
      return compute(expression.test, variable) === 0
        ? compute(expression.alternate, variable)
        : compute(expression.consequent, variable);
    case "ArithmeticBinary": {
      const left = compute(expression.left, variable);
      const right = compute(expression.right, variable);
      return exact(combined(expression.operator, left, right));
    }
    default:
      throw new NotExpandable("arithmetic");
  }
}

function combined(operator: string, left: number, right: number): number {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "**":
      return left ** right;
    case "/":
      return Math.trunc(left / right);
    case "%":
      return left % right;
    case "<":
      return Number(left < right);
    case ">":
      return Number(left > right);
    case "<=":
      return Number(left <= right);
    case ">=":
      return Number(left >= right);
    case "==":
      return Number(left === right);
    case "!=":
      return Number(left !== right);
    default:
      throw new NotExpandable(operator);
  }
}

function exact(value: number): number {
  if (!Number.isSafeInteger(value)) throw new NotExpandable("not exact");
  return value === 0 ? 0 : value;
}
