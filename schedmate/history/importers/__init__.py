"""The formats from which jobs are learned, one file each; those of published traces are read by `schedmate.traces`."""

FORMATS = {
    "schedmate": "what `schedmate history export` writes: one job a line, with all that is known of it (JSON lines)",
    "sacct": "Slurm: sacct --parsable2 with its header line, or sacct --json",
    "ray": "Ray: the REST API's /api/jobs/, `ray list jobs --format json`, or the output of `ray job list`",
    "kubernetes": "Kubernetes: kubectl get jobs,pods -o json",
    "philly": "Microsoft's philly-traces: cluster_job_log (JSON)",
    "helios": "SenseTime's HeliosData: cluster_log.csv",
    "acme": "AcmeTrace: trace_seren.csv, trace_kalos.csv",
    "pai": "Alibaba's cluster-trace-gpu: v2020 task table, v2023 pod list",
    "csv": "the project's own table: job_id,user,vc,name,submit_s,duration_s,gpus,status,extra and more columns",
}
