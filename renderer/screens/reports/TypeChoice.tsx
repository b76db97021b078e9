import { useState } from 'react';
import { REPORT_TYPES } from '../../../shared/contract/reports.ts';
import { REPORT_TYPE } from '../../../shared/reports/report-words.ts';
import { enReports } from '../../messages/en-reports.ts';

interface TypeChoiceProps {
  readonly value: string;
  /** Types beside those of the document. */
  readonly further: readonly string[];
  readonly onChange: (type: string) => void;
}

/** No type has this name. */
const ANOTHER = '';

/** What the rows of a report stand for: a type of the document, one that is known of the deployment, or one that is typed. */
export function TypeChoice({ value, further, onChange }: TypeChoiceProps) {
  const known: readonly string[] = [...new Set([...REPORT_TYPES, ...further])];
  const [isTyped, setTyped] = useState(!known.includes(value));
  const choose = (type: string): void => {
    setTyped(type === ANOTHER);
    onChange(type);
  };
  return (
    <>
      <select
        className="input"
        aria-label={enReports.type}
        value={isTyped ? ANOTHER : value}
        onChange={(event) => choose(event.target.value)}
      >
        {known.map((type) => (
          <option key={type} value={type}>
            {enReports.types[type] ?? type}
          </option>
        ))}
        <option value={ANOTHER}>{enReports.anotherType}</option>
      </select>
      {isTyped && (
        <input
          className="input"
          aria-label={enReports.typeName}
          title={enReports.typeNameHint}
          aria-invalid={!REPORT_TYPE.test(value)}
          value={value}
          onChange={(event) => onChange(event.target.value.trim())}
        />
      )}
    </>
  );
}
