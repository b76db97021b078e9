import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import type { Finding } from '../../../shared/rules/finding.ts';
import { useLimits } from '../../data/use-limits.ts';
import { enMedia } from '../../messages/en-media.ts';
import { fileChecks } from './checks.ts';

const ICONS = { passed: IconCircleCheck, warning: IconAlertTriangle, failed: IconCircleX } as const;

interface FileChecksProps {
  readonly mediaType: string;
  readonly findings: readonly Pick<Finding, 'rule' | 'severity'>[];
}

/** Everything that was looked at in a file, passed or not, with where the limit is from. */
export function FileChecks({ mediaType, findings }: FileChecksProps) {
  const checks = fileChecks(useLimits(), mediaType, findings);
  if (checks.length === 0) return null;
  return (
    <ul className="file-checks" aria-label={enMedia.checked}>
      {checks.map(({ name, outcome, source }) => {
        const Icon = ICONS[outcome];
        return (
          <li key={name} className={`file-check file-check-${outcome}`}>
            <Icon size={15} stroke={1.5} aria-hidden="true" />
            <span className="spoken-only">{enMedia.outcomes[outcome]}: </span>
            <span>{name}</span>
            {source === null ? (
              <span className="quiet">{enMedia.practice}</span>
            ) : (
              <span className="quiet" title={enMedia.section(source)}>
                {enMedia.required}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
