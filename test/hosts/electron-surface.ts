import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What Electron offers to the main process, read from the type declarations that its package brings: no list of ours that
 * could differ from the real runtime. The declarations are written by a program, with the same indents throughout.
 */
export interface TypeSurface {
  readonly parent: string | null;
  /** Members by name, with the type they are declared to have where that is a single name. */
  readonly members: ReadonlyMap<string, string | null>;
  /** The same for members of the class itself. */
  readonly statics: ReadonlyMap<string, string | null>;
  readonly methods: ReadonlySet<string>;
  readonly events: ReadonlySet<string>;
}

export interface Surface {
  readonly types: ReadonlyMap<string, TypeSurface>;
  /** What `import { X } from 'electron'` finds in the main process, with the type of each. */
  readonly values: ReadonlyMap<string, DeclaredValue>;
}

export interface DeclaredValue {
  readonly type: string;
  /** An object of the type, the type's own static side, or a class to make objects of. */
  readonly as: 'object' | 'statics' | 'class';
}

const DECLARATIONS = join(import.meta.dirname, '..', '..', 'node_modules', 'electron', 'electron.d.ts');
const TYPE = /^ {2}(?:interface|class) (\w+)(?: extends ([\w.]+))?[^\n]*\{\n([\s\S]*?)^ {2}\}$/gm;
/** What the main process has for itself, and what every process has. */
const SPACES = /^ {2}namespace (?:Main|Common) \{\n([\s\S]*?)^ {2}\}$/gm;
const CONSTANT = /^ {4}const (\w+): (typeof )?(?:Electron\.)?(\w+);$/gm;
const CLASS = /^ {4}class (\w+) extends/gm;
const MEMBER = /^ {4}(static )?(?:readonly )?(get |set )?(\w+)\??(\([^\n]*|:[^\n]*)/gm;
const EVENT = /^ {4}on\(event: '([^']+)'/gm;
const NAMED_TYPE = /:\s*\(?(?:Electron\.)?([A-Z]\w+)\)?;?$/;

export function readSurface(source = readFileSync(DECLARATIONS, 'utf8')): Surface {
  const types = new Map<string, TypeSurface>();
  for (const [, name = '', parent = null, body = ''] of source.matchAll(TYPE))
    types.set(name, typeSurface(parent, body));
  const values = new Map<string, DeclaredValue>();
  for (const [, body = ''] of source.matchAll(SPACES)) {
    for (const [, name = '', isStatics, type = ''] of body.matchAll(CONSTANT)) {
      values.set(name, { type, as: isStatics === undefined ? 'object' : 'statics' });
    }
    for (const [, name = ''] of body.matchAll(CLASS)) values.set(name, { type: name, as: 'class' });
  }
  if (types.size === 0 || values.size === 0) throw new Error('The declarations of Electron are not as they were.');
  return { types, values };
}

function typeSurface(parent: string | null, body: string): TypeSurface {
  const members = new Map<string, string | null>();
  const statics = new Map<string, string | null>();
  const methods = new Set<string>();
  for (const [, isStatic, accessor, name = '', rest = ''] of body.matchAll(MEMBER)) {
    const type = NAMED_TYPE.exec(rest)?.[1] ?? null;
    if (isStatic !== undefined) statics.set(name, type);
    else if (!members.has(name) || accessor === 'get ') members.set(name, type);
    if (rest.startsWith('(') && accessor === undefined) methods.add(name);
  }
  return {
    parent: parent?.replace(/^Electron\./, '') ?? null,
    members,
    statics,
    methods,
    events: new Set([...body.matchAll(EVENT)].map(([, event = '']) => event)),
  };
}

/** A type with those it extends, its own first; `emits` says whether Node's emitter is the last of them. */
export function lineage(
  surface: Surface,
  name: string,
): { readonly types: readonly TypeSurface[]; readonly emits: boolean } {
  const type = surface.types.get(name);
  if (type === undefined) return { types: [], emits: name.endsWith('EventEmitter') };
  const above = type.parent === null ? { types: [], emits: false } : lineage(surface, type.parent);
  return { types: [type, ...above.types], emits: above.emits };
}
