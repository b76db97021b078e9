import type { ComponentProps } from 'react';

interface FilePickerProps extends Pick<ComponentProps<'input'>, 'ref' | 'accept' | 'multiple' | 'aria-label'> {
  /** Called with at least one file. */
  readonly onPick: (files: readonly File[]) => void;
}

/** A hidden input, whose `click` opens the system's file dialog. */
export const FilePicker = ({ onPick, ...rest }: FilePickerProps) => (
  <input
    {...rest}
    type="file"
    hidden
    onChange={({ target }) => {
      const files = [...(target.files ?? [])];
      // Otherwise selecting the same file again would not be a change.
      target.value = '';
      if (files.length > 0) onPick(files);
    }}
  />
);
