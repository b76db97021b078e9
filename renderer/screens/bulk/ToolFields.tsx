import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import type { ChangeEvent } from 'react';
import { fieldSpec } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { choicesOf } from '../../data/use-limits.ts';
import { en } from '../../messages/en.ts';
import { wordName } from '../../messages/fields.ts';
import type { ToolForm } from './tool-form.ts';

interface ToolFieldsProps {
  readonly kind: Kind;
  readonly form: ToolForm;
  readonly onChange: (changes: Partial<ToolForm>) => void;
}

type Texts = 'value' | 'expression' | 'min' | 'max' | 'roundTo' | 'find' | 'replace' | 'before' | 'after';

const ROUNDINGS = ['nearest', 'down', 'up'] as const;
const CASES = ['lower', 'upper', 'title', 'sentence'] as const;

/** What the chosen tool asks for. */
export function ToolFields({ kind, form, onChange }: ToolFieldsProps) {
  const text = (name: Texts) => ({
    label: en.bulk[name],
    value: form[name],
    size: 'xs' as const,
    onChange: (event: ChangeEvent<HTMLInputElement>) => onChange({ [name]: event.currentTarget.value }),
  });
  const check = (name: 'matchCase' | 'wholeCell' | 'isPattern') => ({
    label: en.bulk[name],
    checked: form[name],
    size: 'xs' as const,
    onChange: (event: ChangeEvent<HTMLInputElement>) => onChange({ [name]: event.currentTarget.checked }),
  });
  switch (form.tool) {
    case 'set': {
      const type = fieldSpec(kind, form.field)?.type;
      if (type?.is === 'choice') {
        const data = [
          { value: '', label: '' },
          ...choicesOf(kind, form.field, null).map((choice) => ({
            value: choice,
            label: wordName(form.field, choice),
          })),
        ];
        return (
          <NativeSelect
            label={en.bulk.value}
            size="xs"
            data={data}
            value={form.value}
            onChange={(event) => onChange({ value: event.currentTarget.value })}
          />
        );
      }
      return <TextInput {...text('value')} data-autofocus />;
    }
    case 'amount':
      return (
        <>
          <TextInput
            {...text('expression')}
            className="form-half"
            placeholder={en.bulk.expressionHint}
            data-autofocus
          />
          <TextInput {...text('min')} inputMode="decimal" />
          <TextInput {...text('max')} inputMode="decimal" />
          <TextInput {...text('roundTo')} inputMode="decimal" placeholder="0.05" />
          <NativeSelect
            label={en.bulk.rounding}
            size="xs"
            data={ROUNDINGS.map((value) => ({ value, label: en.bulk.roundings[value] }))}
            value={form.rounding}
            onChange={(event) => {
              const rounding = ROUNDINGS.find((each) => each === event.currentTarget.value);
              if (rounding !== undefined) onChange({ rounding });
            }}
          />
        </>
      );
    case 'replace':
      return (
        <>
          <TextInput {...text('find')} data-autofocus />
          <TextInput {...text('replace')} />
          <Checkbox {...check('matchCase')} />
          <Checkbox {...check('wholeCell')} />
          <Checkbox {...check('isPattern')} />
          <p className="quiet form-wide">{form.isPattern ? en.bulk.patternHint : en.bulk.tokens}</p>
        </>
      );
    case 'append':
      return (
        <>
          <TextInput {...text('before')} data-autofocus />
          <TextInput {...text('after')} />
          <p className="quiet form-wide">{en.bulk.tokens}</p>
        </>
      );
    case 'case':
      return (
        <NativeSelect
          label={en.bulk.to}
          size="xs"
          data={CASES.map((value) => ({ value, label: en.bulk.cases[value] }))}
          value={form.to}
          onChange={(event) => {
            const to = CASES.find((each) => each === event.currentTarget.value);
            if (to !== undefined) onChange({ to });
          }}
        />
      );
  }
}
