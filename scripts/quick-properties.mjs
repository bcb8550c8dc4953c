// Property tests of the quick run try a tenth of the usual cases.
import fc from "fast-check";

fc.configureGlobal({ numRuns: 10 });
