import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { root } from './repository-root.mjs';

/**
 * A reporter of Vitest that writes the result of a run to the file named by `SUMMARY_FILE`: the number of passed and
 * skipped tests, and one line for everything that went wrong.
 *
 * A failed test, a file that can't be loaded, an error outside of any test and a test that never ended are different
 * cases; the last happens when the process of a file dies, and no other report names it.
 */
export default class Summary {
  onTestRunEnd(modules, unhandled) {
    const tests = modules.flatMap((module) => [...module.children.allTests()].map((test) => ({ test, module })));
    const inState = (state) => tests.filter(({ test }) => test.result().state === state);
    const failures = [
      ...inState('failed').map(
        ({ test, module }) => `${place(module)} > ${test.fullName}: ${why(test.result().errors)}`,
      ),
      ...modules.filter(couldNotLoad).map((module) => `${place(module)}: ${why(module.errors())}`),
      ...unfinished(modules),
      ...unhandled.map((error) => `outside of any test: ${why([error])}`),
    ];
    const file = process.env.SUMMARY_FILE;
    if (file === undefined) throw new Error('SUMMARY_FILE does not say where the summary goes.');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      JSON.stringify({ passed: inState('passed').length, skipped: inState('skipped').length, failures }, null, 2),
    );
  }
}

const place = (module) => relative(root, module.moduleId);

const couldNotLoad = (module) => module.errors().length > 0;

function unfinished(modules) {
  return modules.flatMap((module) => {
    const names = [...module.children.allTests('pending')].map(({ fullName }) => fullName);
    return names.length === 0
      ? []
      : [`${place(module)}: ${names.length} tests did not end, the first is "${names[0]}"`];
  });
}

/** The first line of each message, and of its causes. */
function why(errors) {
  const chain = (error) => (error === undefined ? [] : [String(error.message).split('\n')[0], ...chain(error.cause)]);
  return (errors ?? []).flatMap(chain).join('; ');
}
