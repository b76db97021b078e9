/** The part of electron-builder's context that is used. */
export default function afterPack(context: {
  readonly appOutDir: string;
  readonly electronPlatformName: string;
  readonly packager: {
    readonly executableName: string;
    readonly config: { readonly electronFuses: Readonly<Record<string, unknown>> };
    readonly getResourcesDir: (appOutDir: string) => string;
  };
}): Promise<void>;
