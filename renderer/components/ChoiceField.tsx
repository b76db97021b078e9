import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import { chooseAt, type Option } from './Choice.tsx';

interface ChoiceFieldProps<T> extends Omit<NativeSelectProps, 'data' | 'value' | 'onChange'> {
  readonly options: readonly Option<T>[];
  readonly value: T;
  readonly onChoose: (value: T) => void;
}

/** A `Choice` with a label, for forms and tools. */
export function ChoiceField<T extends string | number | null>({
  options,
  value,
  onChoose,
  ...rest
}: ChoiceFieldProps<T>) {
  return (
    <NativeSelect
      {...rest}
      value={String(value ?? '')}
      data={options.map(([each, label]) => ({ value: String(each ?? ''), label }))}
      onChange={({ currentTarget }) => chooseAt(options, currentTarget.selectedIndex, onChoose)}
    />
  );
}
