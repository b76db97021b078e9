import { Button } from '@mantine/core';
import type { Finding, Fix } from '../../../shared/rules/finding.ts';
import { en } from '../../messages/en.ts';
import { findingText } from '../../messages/findings.ts';

interface FindingCardsProps {
  readonly findings: readonly Finding[];
  readonly onFix: (fix: Fix) => void;
}

/** What the rules say about the row as a whole, and the ones that one click ends. */
export function FindingCards({ findings, onFix }: FindingCardsProps) {
  const shown = findings.filter((finding) => finding.field === null || finding.fix !== null);
  if (shown.length === 0) return null;
  return (
    <ul className="cards" aria-label={en.inspector.findings}>
      {shown.map((finding) => {
        const { fix } = finding;
        return (
          <li key={`${finding.rule} ${finding.field}`} className={`card card-${finding.severity}`}>
            <p>{findingText(finding)}</p>
            {fix !== null && <Button onClick={() => onFix(fix)}>{en.inspector.fix}</Button>}
          </li>
        );
      })}
    </ul>
  );
}
