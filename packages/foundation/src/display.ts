export { displayUsd, parseUsd } from "./display/money.js";
export { operatorName } from "./display/operator-name.js";
export { escapeUnseen } from "./display/unseen-text.js";
export { errorMessage } from "./error-message.js";
