{{- define "berth.name" -}}
{{- default .Release.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "berth.selector" -}}
app.kubernetes.io/name: berth
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{- define "berth.labels" -}}
{{ include "berth.selector" . }}
app.kubernetes.io/part-of: berth
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{/* Labels of DaemonSets: not those of the service, which its Service and policies select. */}}
{{- define "berth.nodeLabels" -}}
app.kubernetes.io/name: berth-nodes
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/part-of: berth
{{- end -}}

{{- define "berth.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag }}
{{- end -}}
{{- end -}}

{{- define "berth.sessionsNamespace" -}}
{{- default .Release.Namespace .Values.sessions.namespace -}}
{{- end -}}

{{/* Where sessions run: the same for their Pods and for what is prepared on their nodes. */}}
{{- define "berth.nodes" -}}
{{- range $key, $value := .Values.sessions.nodeSelector -}}
,NA={{ $key }}={{ $value }}
{{- end -}}
{{- end -}}

{{- define "berth.androidNodes" -}}
{{- range $key, $value := .Values.sessions.android.nodeSelector -}}
,{{ $key }}={{ $value }}
{{- end -}}
{{- end }}
