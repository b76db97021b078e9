import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import type { ShownLimits } from '../../../shared/deployment/limits.ts';
import { ruleById } from '../../../shared/rules/registry.ts';
import type { Issue } from '../../../shared/rules/rule.ts';
import { useLimits } from '../../app/locale/limits.ts';
import { countText } from '../../app/locale/numbers.ts';
import ui from '../../components/ui.module.css';
import styles from './media.module.css';

const texts = {
  checked: 'File checks',
  outcomes: { passed: 'Passed', warning: 'Warning', failed: 'Failed' },
  practice: 'recommended',
  required: 'required by the service',
  section: (name: string) => `Service documentation: "${name}"`,
  checks: {
    videoFormat: 'MP4 or MOV file',
    length: (min: number, max: number) => `Length ${min}–${max} seconds`,
    videoSize: (mb: number) => `Up to ${mb} MB`,
    ratio: 'Aspect ratio 16:9',
    pixels: 'Resolution within limits',
    codecs: 'Widely supported video and audio codecs',
    logoFormat: 'PNG file',
    logoPixels: (width: number, height: number) => `Exactly ${width} × ${height} pixels`,
    logoSize: (kb: number) => `Up to ${countText(kb)} KB (review limit)`,
    uploadSize: (kb: number) => `Up to ${countText(kb)} KB (upload limit)`,
    captionFormat: 'SRT or VTT file with captions',
    times: 'Captions in order, each with start, end and text',
  },
} as const;

const ICONS = { passed: IconCircleCheck, warning: IconAlertTriangle, failed: IconCircleX } as const;

interface FileChecksProps {
  readonly mediaType: string;
  readonly issues: readonly Pick<Issue, 'rule' | 'severity'>[];
  /** The measured value for each check, in the same order; undefined for none. */
  readonly values?: readonly (string | undefined)[];
}

/** All checks of a file, passed or not, with the section that each limit comes from. */
export function FileChecks({ mediaType, issues, values = [] }: FileChecksProps) {
  const checks = fileChecks(useLimits(), mediaType, issues);
  if (checks.length === 0) return null;
  return (
    <ul className={styles['file-checks']} aria-label={texts.checked}>
      {checks.map(({ name, outcome, source }, at) => {
        const Icon = ICONS[outcome];
        return (
          <li key={name} className={`${styles['file-check']} ${styles[`file-check-${outcome}`]}`}>
            <Icon size={15} stroke={1.5} aria-hidden="true" />
            <span className={ui['spoken-only']}>{texts.outcomes[outcome]}: </span>
            <span>{name}</span>
            {values[at] !== undefined ? (
              <span className={ui['quiet']} title={source === null ? texts.practice : texts.section(source)}>
                {values[at]}
              </span>
            ) : source === null ? (
              <span className={ui['quiet']}>{texts.practice}</span>
            ) : (
              <span className={ui['quiet']} title={texts.section(source)}>
                {texts.required}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** A check of a file before any network call, and its result. */
interface FileCheck {
  readonly name: string;
  readonly outcome: 'passed' | 'warning' | 'failed';
  /** Section of the document with the limit; null for a recommendation. */
  readonly source: string | null;
}

const { checks } = texts;

/** The checks of each file type, with the rules that report a failure. */
const checksOf = ({
  media,
  logo,
}: ShownLimits): Readonly<Record<string, readonly (readonly [string, readonly string[]])[]>> => ({
  video: [
    [checks.videoFormat, ['video.unreadable', 'video.wrong-ending']],
    [
      checks.length(media.seconds.min, media.seconds.max),
      ['video.too-short', 'video.too-long', 'video.length-unknown'],
    ],
    [checks.videoSize(media.maxMb), ['video.size']],
    [checks.ratio, ['video.ratio', 'video.upright']],
    [checks.pixels, ['video.too-small', 'video.too-large']],
    [checks.codecs, ['video.codec', 'video.sound-codec', 'video.no-sound']],
  ],
  logo: [
    [checks.logoFormat, ['logo.unreadable']],
    [checks.logoPixels(logo.width, logo.height), ['logo.pixels']],
    [checks.logoSize(logo.contentMaxKb), ['logo.content-size']],
    [checks.uploadSize(logo.uploadMaxKb), ['logo.upload-size']],
  ],
  caption: [
    [checks.captionFormat, ['caption.unreadable', 'caption.empty']],
    [checks.times, ['caption.timing', 'caption.end-before-start', 'caption.order', 'caption.empty-cue']],
  ],
});

/** Each check of a file with its result: a check without an issue has passed. */
export function fileChecks(
  limits: ShownLimits,
  mediaType: string,
  issues: readonly Pick<Issue, 'rule' | 'severity'>[],
): readonly FileCheck[] {
  return (checksOf(limits)[mediaType] ?? []).map(([name, rules]) => {
    const found = issues.filter(({ rule }) => rules.includes(rule));
    const failed = found.find(({ severity }) => severity === 'error');
    const said = failed ?? found.find(({ severity }) => severity === 'warning');
    // The section of the reported rule, or of the check's first rule if none was reported.
    const section = ruleById(said?.rule ?? rules[0] ?? '')?.section ?? 'practice';
    return {
      name,
      outcome: failed === undefined ? (said === undefined ? 'passed' : 'warning') : 'failed',
      source: section === 'practice' ? null : section,
    };
  });
}
