import { type ComponentProps, Fragment } from 'react';
import ui from './ui.module.css';

/** A selectable value and its name. Null is no value. Options of a group follow one another, below its heading. */
export type Option<T> = readonly [value: T, name: string, group?: string];

interface ChoiceProps<T> extends Omit<ComponentProps<'select'>, 'value' | 'onChange'> {
  readonly options: readonly Option<T>[];
  readonly value: T;
  readonly onChoose: (value: T) => void;
}

/** A native drop-down list. */
export function Choice<T extends string | number | boolean | null>({
  options,
  value,
  onChoose,
  className = ui['input'],
  ...rest
}: ChoiceProps<T>) {
  return (
    <select
      {...rest}
      className={className}
      value={String(value ?? '')}
      onChange={({ target }) => chooseAt(options, target.selectedIndex, onChoose)}
    >
      {[...Map.groupBy(options, ([, , group]) => group)].map(([group, own]) => {
        const lines = own.map(([each, name]) => (
          <option key={String(each)} value={String(each ?? '')}>
            {name}
          </option>
        ));
        if (group === undefined) return <Fragment key="">{lines}</Fragment>;
        return (
          <optgroup key={group} label={group}>
            {lines}
          </optgroup>
        );
      })}
    </select>
  );
}

/** Calls `onChoose` with the value of an option: the element itself has only its text. */
export function chooseAt<T>(options: readonly Option<T>[], index: number, onChoose: (value: T) => void): void {
  const chosen = options[index];
  if (chosen !== undefined) onChoose(chosen[0]);
}
