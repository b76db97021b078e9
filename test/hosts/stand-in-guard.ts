import { EventEmitter } from 'node:events';
import { type DeclaredValue, lineage, type Surface } from './electron-surface.ts';

/**
 * Holds a stand-in to the declarations: whoever asks it for something that Electron does not have is told so, as the
 * compiler would, but of the code that was built. What is declared and has no behaviour here does nothing.
 */
export interface Guard {
  /** What `import { name } from 'electron'` gives. */
  value(name: string, behaviour: unknown): unknown;
  /** What stands behind a guarded object: what a page gets is the page's own. */
  unguarded(word: unknown): unknown;
  /** Members that were called, in order, as `app.enableSandbox`. */
  readonly calls: readonly string[];
}

const EMITTER = new Set(Object.getOwnPropertyNames(EventEmitter.prototype));
const LISTENING = new Set(['on', 'once', 'addListener', 'off', 'removeListener']);

export function createGuard(surface: Surface): Guard {
  const calls: string[] = [];
  const behind = new WeakMap<object, object>();
  /** Objects that go back into the runtime, alone or in a list, are its own again. */
  const unguarded = (word: unknown): unknown => {
    if (Array.isArray(word)) return word.map(unguarded);
    return isObject(word) ? (behind.get(word) ?? word) : word;
  };

  const refuse = (what: string): never => {
    throw new Error(`Electron has no ${what}.`);
  };

  function object(type: string, behaviour: object, label: string): object {
    const { types, emits } = lineage(surface, type);
    if (types.length === 0) return behaviour;
    return side(behaviour, label, {
      has: (name) => types.some(({ members }) => members.has(name)) || (emits && EMITTER.has(name)),
      isMethod: (name) => types.some(({ methods }) => methods.has(name)),
      typeOf: (name) => types.find(({ members }) => members.has(name))?.members.get(name) ?? null,
      // A type that declares no events, such as the one for messages, takes channels of any name.
      hears: (event) => !types.some(({ events }) => events.size > 0) || types.some(({ events }) => events.has(event)),
    });
  }

  function side(behaviour: object, label: string, declared: Declared): object {
    const guarded = new Proxy(behaviour, {
      get: (target, key) => {
        const given: unknown = Reflect.get(target, key, target);
        if (typeof key === 'symbol' || key === 'then' || key === 'constructor') return given;
        if (!declared.has(key)) return refuse(`${label}.${key}`);
        const type = declared.typeOf(key);
        if (typeof given === 'object' && given !== null && type !== null) return object(type, given, `${label}.${key}`);
        if (typeof given !== 'function')
          return given === undefined && declared.isMethod(key) ? called(label, key) : given;
        return (...words: readonly unknown[]): unknown => {
          calls.push(`${label}.${key}`);
          if (LISTENING.has(key) && !declared.hears(String(words[0])))
            refuse(`event "${String(words[0])}" of ${label}`);
          return Reflect.apply(given, target, words.map(unguarded));
        };
      },
      set: (target, key, value) => {
        if (typeof key === 'string' && !declared.has(key)) refuse(`${label}.${key}`);
        return Reflect.set(target, key, value);
      },
    });
    behind.set(guarded, behaviour);
    return guarded;
  }

  const called = (label: string, name: string) => (): void => void calls.push(`${label}.${name}`);

  const statics = (type: string): Declared => {
    const { types } = lineage(surface, type);
    return {
      has: (name) => types.some((each) => each.statics.has(name)),
      isMethod: (name) => types.some((each) => each.statics.has(name) && each.methods.has(name)),
      typeOf: (name) => types.find((each) => each.statics.has(name))?.statics.get(name) ?? null,
      hears: () => true,
    };
  };

  function value(name: string, behaviour: unknown): unknown {
    const declared: DeclaredValue = surface.values.get(name) ?? refuse(name);
    const { type, as } = declared;
    if (as === 'object') return object(type, isObject(behaviour) ? behaviour : new EventEmitter(), name);
    const made = typeof behaviour === 'function' || isObject(behaviour) ? behaviour : class extends EventEmitter {};
    const guarded = side(made, name, statics(type));
    if (as === 'statics') return guarded;
    return new Proxy(made, {
      get: (_target, key) => (key === 'prototype' ? Reflect.get(made, key) : Reflect.get(guarded, key)),
      construct: (_target, words) => {
        calls.push(`new ${name}`);
        return object(type, Reflect.construct(made as new () => object, words), name);
      },
    });
  }

  return { value, unguarded, calls };
}

interface Declared {
  readonly has: (name: string) => boolean;
  readonly isMethod: (name: string) => boolean;
  readonly typeOf: (name: string) => string | null;
  readonly hears: (event: string) => boolean;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
