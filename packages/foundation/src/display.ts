export { characterStart, endOfText, startOfText } from "./content/text-cut.js";
export { displayUsd, parseUsd } from "./display/money.js";
export { operatorName } from "./display/operator-name.js";
export { escapeUnseen } from "./display/unseen-text.js";
export { errorMessage } from "./error-message.js";
