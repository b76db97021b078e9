import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ensureChromium } from './chromium.mjs';
import { findElectron } from './electron-runtime.mjs';
import { print, root } from './repository-root.mjs';
import { environment, runProgram } from './run-program.mjs';

/**
 * The same specs run in two hosts. The web host runs everywhere in Chromium; the Electron ones run where its runtime
 * is installed, and count as not run elsewhere.
 */
const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js';

export async function endToEnd() {
  const browser = await ensureChromium();
  if ('missing' in browser) {
    process.stdout.write(`${browser.missing}\n`);
    return { passed: 0, failed: 1, skipped: 0, failures: [browser.missing] };
  }
  const env = 'executable' in browser ? { CHROMIUM: browser.executable } : {};
  const electron = findElectron();
  if ('path' in electron) return runProjects(['web', 'electron'], { ...env, ELECTRON: electron.path });
  const counts = await runProjects(['web'], env);
  const notRun = countSpecs('electron', env);
  process.stdout.write(`Electron: ${notRun} specs not run here, because ${electron.missing}.\n`);
  return { ...counts, skipped: counts.skipped + notRun };
}

async function runProjects(projects, env) {
  const report = join(root, 'out', 'test', 'playwright.json');
  rmSync(report, { force: true });
  const args = ['test', '--config', join(root, 'playwright.config.ts'), '--reporter=list,json'];
  const code = await runProgram(PLAYWRIGHT, [...args, ...projects.flatMap((name) => ['--project', name])], {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  });
  const { stats, suites } = JSON.parse(readFileSync(report, 'utf8'));
  const failures = suites.flatMap(failedSpecs);
  if (failures.length === 0 && code !== 0) failures.push(`Playwright ended with code ${code} and named no spec`);
  if (stats.flaky > 0) print(`${stats.flaky} specs passed only at a second attempt: they are named as flaky above.`);
  const { breaches, pages } = policyCount(suites);
  process.stdout.write(`The policy of the page was broken ${breaches} times on ${pages} pages.\n`);
  return {
    passed: stats.expected + stats.flaky,
    failed: Math.max(stats.unexpected, failures.length),
    skipped: stats.skipped,
    failures,
  };
}

/** Each spec that failed at its last attempt, with the first line of the reason. */
function failedSpecs(suite) {
  const inner = (suite.suites ?? []).flatMap(failedSpecs);
  const own = (suite.specs ?? [])
    .filter(({ ok }) => !ok)
    .map(({ file, line, title, tests }) => {
      const message = tests.flatMap(({ results }) => results.at(-1)?.errors ?? [])[0]?.message ?? 'no reason given';
      return `${file}:${line} ${title}: ${stripVTControlCharacters(message).split('\n')[0]}`;
    });
  return [...own, ...inner];
}

/** Violations of the content security policy by spec (`test/e2e/fixture.ts`), over all specs and attempts. */
function policyCount(suites) {
  const sum = { breaches: 0, pages: 0 };
  for (const suite of suites) {
    const inner = policyCount(suite.suites ?? []);
    sum.breaches += inner.breaches;
    sum.pages += inner.pages;
    const results = (suite.specs ?? []).flatMap(({ tests }) => tests.flatMap((test) => test.results));
    for (const { description } of results.flatMap(({ annotations }) => annotations ?? []).filter(isPolicy)) {
      const [breaches, pages] = description.split(' of ').map(Number);
      sum.breaches += breaches;
      sum.pages += pages;
    }
  }
  return sum;
}

const isPolicy = ({ type }) => type === 'policy';

function countSpecs(project, env) {
  const args = [
    join(root, PLAYWRIGHT),
    'test',
    '--config',
    join(root, 'playwright.config.ts'),
    '--list',
    '--project',
    project,
  ];
  const listed = spawnSync(process.execPath, [...args, '--reporter=json'], {
    cwd: root,
    encoding: 'utf8',
    env: environment(env),
    maxBuffer: 64 * 1024 * 1024,
  });
  if (listed.status !== 0) throw new Error(`Playwright could not list the ${project} specs:\n${listed.stderr}`);
  const count = (suite) =>
    (suite.specs ?? []).reduce((sum, spec) => sum + spec.tests.length, 0) +
    (suite.suites ?? []).reduce((sum, inner) => sum + count(inner), 0);
  return JSON.parse(listed.stdout).suites.reduce((sum, suite) => sum + count(suite), 0);
}
