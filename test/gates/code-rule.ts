import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Lang, type NapiConfig, parse } from '@ast-grep/napi';

/** One thing that no source file may hold, but for the few places that are named. */
export interface CodeRule {
  readonly name: string;
  readonly why: string;
  readonly find: NapiConfig['rule'];
  /** Where it may stand: files, or folders ending in a slash. */
  readonly but?: readonly string[];
  /** The only folders that are looked at; everything of the program when not given. */
  readonly only?: readonly string[];
  /** Each is a violation; planted to see that the rule is awake. */
  readonly planted: readonly string[];
}

export interface Breach {
  readonly rule: string;
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** @param file path below the repository, with slashes */
export function breaches(rules: readonly CodeRule[], file: string, source: string): readonly Breach[] {
  const root = parse(file.endsWith('x') ? Lang.Tsx : Lang.TypeScript, source).root();
  return rules
    .filter((rule) => isSubject(rule, file))
    .flatMap((rule) =>
      root.findAll({ rule: rule.find }).map((node) => ({
        rule: rule.name,
        file,
        line: node.range().start.line + 1,
        text: node.text().slice(0, 120),
      })),
    );
}

export const readSource = (root: string, file: string): string => readFileSync(join(root, file), 'utf8');

function isSubject({ but = [], only }: CodeRule, file: string): boolean {
  const within = (place: string): boolean => (place.endsWith('/') ? file.startsWith(place) : file === place);
  return !but.some(within) && (only === undefined || only.some(within));
}

/** An import of a module by name, whatever is taken from it. */
export const importOf = (module: string): NapiConfig['rule'] => ({
  any: [
    { kind: 'import_statement', has: { kind: 'string', regex: `^.(${module}).$`, stopBy: 'end' } },
    { pattern: 'import($M)', has: { kind: 'string', regex: `^.(${module}).$`, stopBy: 'end' } },
    { pattern: 'require($M)', has: { kind: 'string', regex: `^.(${module}).$`, stopBy: 'end' } },
  ],
});

/** A named import of one thing from one module. */
export const namedImport = (module: string, name: string): NapiConfig['rule'] => ({
  kind: 'import_statement',
  all: [
    { has: { kind: 'string', regex: `^.${module}.$`, stopBy: 'end' } },
    { has: { kind: 'import_specifier', regex: `^${name}$`, stopBy: 'end' } },
    { not: { regex: '^import type' } },
  ],
});
