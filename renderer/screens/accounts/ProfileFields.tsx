import { useId, useState } from 'react';
import { enSettings as texts } from '../../messages/en-settings.ts';
import { ScrollBox } from '../../ui/ScrollBox.tsx';
import type { ProfileField, ProfileGroup } from './profile-fields.ts';

const GROUPS: readonly ProfileGroup[] = ['pace', 'ads', 'creative', 'money', 'wire'];

interface ProfileFieldsProps {
  readonly fields: readonly ProfileField[];
  /** What was typed and not saved yet, by key. */
  readonly typed: Readonly<Record<string, string>>;
  readonly onType: (key: string, value: string) => void;
}

/** The settings of a deployment by what they are about; those otherwise than usual say what is usual. */
export function ProfileFields({ fields, typed, onType }: ProfileFieldsProps) {
  const [words, setWords] = useState('');
  const valueNow = (field: ProfileField): string => typed[field.key] ?? field.value;
  const wanted = words.trim().toLowerCase();
  const shown = fields.filter(({ key, name }) => `${name} ${key}`.toLowerCase().includes(wanted));
  const own = fields.filter((field) => valueNow(field) !== field.usual).length;
  return (
    <>
      <div className="profile-bar">
        <input
          className="input"
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <span className="quiet" role="status">
          {texts.ownCount(own)}
        </span>
      </div>
      <ScrollBox className="preview-scroll tall-scroll" label={texts.service}>
        {shown.length === 0 && <p className="profile-none quiet">{texts.noMatch}</p>}
        {GROUPS.map((group) => {
          const members = shown.filter((field) => field.group === group);
          return (
            members.length > 0 && (
              <fieldset key={group} className="profile-group">
                <legend className="section-title">{texts.groups[group]}</legend>
                {members.map((field) => (
                  <Field key={field.key} field={field} value={valueNow(field)} onType={onType} />
                ))}
              </fieldset>
            )
          );
        })}
      </ScrollBox>
    </>
  );
}

interface FieldProps {
  readonly field: ProfileField;
  readonly value: string;
  readonly onType: ProfileFieldsProps['onType'];
}

function Field({ field, value, onType }: FieldProps) {
  const id = useId();
  const isOwn = value !== field.usual;
  return (
    <div className="profile-field">
      <label htmlFor={id}>{field.name}</label>
      <span className="profile-usual">
        {isOwn && (
          <>
            <span id={`${id}-usual`} className="note-changed">
              {texts.usual(field.usual)}
            </span>
            <button
              type="button"
              className="chip"
              aria-label={texts.resetOf(field.name)}
              onClick={() => onType(field.key, field.usual)}
            >
              {texts.reset}
            </button>
          </>
        )}
      </span>
      <input
        id={id}
        className={isOwn ? 'input input-own' : 'input'}
        value={value}
        aria-describedby={isOwn ? `${id}-usual` : undefined}
        onChange={(event) => onType(field.key, event.target.value)}
      />
    </div>
  );
}
