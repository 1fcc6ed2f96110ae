"""Tell whether a kernel or a daemon speaks of trouble, in whatever words, or of what is well."""

from schedmate.tools.late_patterns import late_re2

TROUBLE = late_re2(
    r"(?:\b(?:(?i:fatal|critical|fail|fails|failed|failing|failures?|lost|unrecover\w+|uncorrect\w+|unreachable"
    r"|unavailable|inaccessible|unusable|unresponsive|timed out|timing out|time ?outs?|off-?line|dead|died"
    r"|degraded|compromised|corrupt\w*|broken|stuck|hung|hangs?|halted|lockup|expelled|evict(?:s|ed|ing)"
    r"|drain(?:s|ed|ing)|asserted|alarm|alert|beyond|crossed|undervolt\w*|overheat\w*|over-?temp\w*|violation|storm"
    r"|disappeared|unhealthy|faulty?|faults|panic|vanished|non-?recoverable|missed"
    r"|refuses|ran out|restarting|toomanyrequests|slowdown|crash(?:ed|es)?|quarantined?"
    r"|disabling|reclaims?|revoked|stalls?|stalled|inactive|unplugged|panicked|cut off|double[- ]bits?|machine check"
    r"|internal error|out of (?:memory|space|service)|no (?:space left|carrier|signal)|cut (?:its|their) own power"
    r"|shut (?:itself|themselves) off|used up|exhausted"
    r"|switched off|power (?:was |is )?removed|power brake|dropped out|exploding|mismatch|sealed|watchdog bit|withdrawn"
    r"|100 ?% full|is full|read-only|answered nothing|err-?disabled|stops? serving|no reading|signal went|never drains"
    r"|lanes down"
    r"|inodes are taken|(?:is|was|are) wet|leak(?:s|ing|age)?|powered (?:itself|themselves) (?:off|down)|times out"
    r"|(?:restart|reboot) forced"
    r"|by itself"
    r"|without being asked|packet loss|thermal trip)"
    r"|[Dd]ropped (?:off|out)|[Gg]iv(?:e|es|ing) up|[Rr]eboot(?:s|ed|ing)|[Ss]hut(?:s|ting)? ?down"
    r"|[Kk]ill(?:ed|ing)|[Aa]bort(?:ed|ing)|BUG|[Pp]reempt(?:s|ed|ing|ion)?|asked for a reboot"
    r"|[Rr]eboot (?:requested|scheduled|initiated)|rebalance recommendation"
    r"|(?:be|being) (?:stopped|terminated|removed|powered off|shut down|rebooted|switched off|drained|reimaged))\b"
    r"|ERR!|\b(?:active|remaining|working|usable) (?:\w+ ){0,2}(?:paths|links|lanes|members): 0\b"
    r"|\b(?:not|no longer|isn't|hasn't been|never|won't|would not|could not|cannot) (?:\w+ ){0,2}"
    r"(?:usable|accessible|respond(?:ing)?|answer(?:ing)?|reachable|received|ready|updated|available|present|seen"
    r"|heard|attached|starts?|trains?|mend|answers|help|match|agree|pulled|talk|get|reach|find|open|write"
    r"|be (?:reached|resolved|read|written|opened|mounted|found))\b"
    r"|\bno (?:\w+ ){0,3}(?:answers?|reply|response|heartbeats?)\b"
    r"|\bdid not (?:\w+ ){0,2}(?:complete|finish|start|come|train|answer|respond)\b"
    r"|\btoo (?:low|high|hot|many)\b|\b0 (?:bytes|inodes) (?:left|free)\b"
    r"|\bhas (?:met|seen) (?:an? )?(?:\w+ )?(?:fault|error)"
    r"|\b(?:has|have) no (?:\w+ )?\w+ left\b|\bnobody gets\b|\bframes are dropped\b|\b(?:has |have )?stopped(?: at \d"
    r"|,|$)"
    r"|\bstopped (?:answering|completing|responding|working|reporting)"
    r"|\b(?:above|over|beyond) (?:its |the )?(?:\w+ )?(?:limit|threshold|maximum)"
    r"|\b(?:below|under) (?:its |the )?(?:\w+ )?(?:threshold|minimum|lowest)"
    r"|\bthreshold (?:was |is )?(?:reached|crossed|exceeded)|\bexceed(?:s|ed|ing) (?:its |the )"
    r"|\b(?:going|goes|went|gone|are|is|now) (?:read-only|away|dark|bad)\b|\b(?:going|goes|went) (?:down|idle)"
    r"|\b[Ss]tarting (?:[Rr]eboot|[Pp]ower-?[Oo]ff|[Hh]alt)\b"
    r"|\b[Ll]oss of (?:signal|power|carrier|light)"
    r"|(?:->|=>|\bto) (?i:unavailable|down|unknown|error|failed)\b|[Nn]ot[Rr]eady|\b(?:taken|taking) back\b"
    r"|\btak(?:es|ing) (?:\w+ ){0,3}back\b|\bpulled from\b|\bpulling it\b|\b(?:taken|taking) (?:it |them )?out\b"
    r"|\b(?:forced|throttled|clocked) down\b|\bleave the (?:host|node|machine)\b|\bsuspected\b"
    r"|\b(?:[Oo]nly |just )\d{1,3} (?:of|out of) (?:the )?\d|\bwent from \d{1,3} to \d"
    r"|\bmissing from\b|\b(?:wrong|different|differing) (?:results?|checksums?|sums?|answers?)\b"
    r"|\b(?:ahead of|behind) (?:its|the|all) (?:neighbou?rs|peers|others?)\b|\banswers? 5\d\d\b|\bI/O error"
    r"|[Uu]ncorrectable|[Nn]o light|thrown out)"
)
"""What tells that something is not as it should be; `error` alone is said of much that is mended."""
HAPPENED = late_re2(
    r"\b(?:is|are|was|were|been|being|has|have|had|went|gone|goes|going|fell|falls|became|becomes|remains?|stays?"
    r"|turned|marked|declared|reported|found|now) (?:\w+ )?(?i:down|gone|missing|silent)\b"
    r"|\b(?:was|were|been|being|got) (?:\w+ )?(?:disabled|denied|rejected|refused|expired)\b"
    r"|\b(?i:links?|ports?|interface|carrier|rails?|uplinks?|paths?|session|peers?|nodes?|hosts?|neighbou?rs?|servers?"
    r"|lanes?|feeds?|pumps?|breakers?|state|status)\b(?: \S{1,20}){0,4}?:? (?i:down)\b"
    r"|\bDOWN\b|\bDown$|\bha(?:s|ve) not (?:yet )?(?:responded|answered|replied|reported)\b"
    r"|\b[Cc]onnections? (?:\w+ )?refused\b"
    r"|\b(?i:heartbeats?|deadline|watchdog|timer|licen[cs]es?|token|certificate|membership"
    r"|session)(?: \w+){0,4} expired\b"
)
"""What is trouble where it is said of a part that it came to be so: the same words name settings, and what nobody asked
for: `ECC disabled`, `hint missing`, `fan down to 40%`."""
CALM = late_re2(
    r"(?i)\b(?:no|zero|0|without|not an?) (?:new )?(?:\w+ ){0,2}"
    r"(?:errors?|faults?|failures?|problems?|alarms?|trouble)\b"
    r"|\b(?:no|zero|0) (?:\w+ )?(?:failed|missing|lost|dead|dropped)\b"
    r"|(?:errors?|faults?|failures?|failed|lost|missing)(?: count)?[ =:]{1,3}(?:0|none)\b"
    r"|\bcorrect(?:ed|able)\b|\b\d+ CE\b"
    r"|\bnot (?:yet )?(?:above|over|below|under|beyond)\b|\bdown (?:to|from|by) \d"
    r"|\bstill trying\b|\b(?:is|are|was|now|state|health|status|came|comes|went|back)(?: is| now)?:? "
    r"(?:up|ok|well|healthy|ready|online|active|normal)\b"
    r"|\b(?:link|port) (?:is )?up\b|\bcleared\b|\brestored\b|\bsucce(?:ss|eded)\w*|\bpass(?:es)?\b|\b(?:checks?|tests?"
    r"|rounds?|probes?) (?:\w+ ){0,2}passed\b"
    r"|\bpassed (?:all|its|the|every)\b"
    r"|\btimeout, completion polled\b|\bno action (?:is )?(?:needed|required|taken)\b"
    r"|\bwill (?:be )?re-?tr(?:y|ied)\b|\bthresholds? (?:is|are|set|=)|\bkill_timeout\b|\bdrain(?:ed)? queue\b"
    r"|[:=] (?:ok|fine|normal|nominal|good)(?:[ ,;.)]|$)"
    r"|\bhealth ?checks? (?:ok|passed)\b|\bstartup\b|\bstarted\b|\bregistered\b|\bloaded\b|\bto ACTIVE\b"
    r"|\b(?:mode|mitigations?|passthrough|features?|modules?|support|caches?|offload\w*|logging|metrics?) "
    r"(?:is |are |was )?(?:disabled|off|not available|unavailable)\b"
    r"|\b(?:disabled|off|missing|not available) (?:by|in) (?:the )?"
    r"(?:bios|firmware|users?|defaults?|config\w*|policy|kernel)\b"
    r"|\bwithout (?:evict|kill|stopp|los)ing\b|\bgot (?:it|them) back\b|\bcame back\b|\b(?:an)?other job\b"
    r"|\bnot (?:yours|ours|this job)\b"
    r"|^kernel: (?:\[ *[\d.]{1,20}\] )?audit: "
)
"""What tells that all is well, that a fault was mended on the spot, or how something was set up."""
WITHIN = late_re2(
    r"(?i)\((?:still |well )?(?:below|under|within) (?:the |its )?(?:\w+ )?"
    r"(?:thresholds?|limits?|tolerances?|spec\w*)\)"
)
"""What calls a measure harmless; of a part that is gone it says nothing."""
GONE = late_re2(
    r"(?i)\b(?:fail\w*|halt\w*|unreach\w+|unavail\w+|unresp\w+|dead|died|lost|down|off-?line|shut|hung|stuck)\b"
)

INFORMS = late_re2(
    r"^(?:\S{1,64}: )?(?:[<\[(]?(?i:info|debug\d?|trace|verbose)[>\])]?[ :]|I\d{4} \d\d:)"
    r"|\blevel=\"?(?:info|debug|trace)\b"
    r"|^systemd\[\d{1,9}\]: (?:Stopp|Start|Mount|Unmount|Reload|Remov|Creat)(?:ing|ed) "
)
"""How a daemon says what is no trouble to it: a level, or what systemd does as it was told."""
RESTARTS = late_re2(r"(?i)reboot|power-?off|halt\b")

NEIGHBOURS = late_re2(
    r"^(?:systemd\[\d{1,9}\]: )?(?:sshd|sudo|su|CRON|cron\w*|anacron|postfix/\w+|sendmail|snapd\S{0,20}|auditd?"
    r"|dbus\S{0,20}"
    r"|polkitd|rsyslogd|avahi\S{0,20}|cupsd|fail2ban\S{0,20}|rtkit\S{0,20}|unattended-upgr\w*|packagekit\w*"
    r"|gnome\S{0,30}"
    r"|Xorg|logrotate|apt-daily\S{0,20}|fstrim|man-db|motd-news|mlocate\S{0,20}|nscd|lldpd|snmpd|telegraf|collectd"
    r"|promtail"
    r"|grafana-\w{1,20}|node_exporter|filebeat|metricbeat|fluent\S{0,20}|vector|zabbix\S{0,20}|puppet\S{0,20}"
    r"|chef\S{0,20}"
    r"|salt-minion|abrtd?|chronyd?|ntpd?|ptp4l|phc2sys|irqbalance"
    r"|systemd-(?:journald|timesyncd|logind|tmpfiles))(?:[\[(:]|\.service: )"
)
"""Daemons of every host whose troubles no job shares."""


def tells_of_trouble(text: str) -> bool:
    """Tell a line that says that something is not as it should be, and nothing that soothes."""
    if not TROUBLE.search(text) and not HAPPENED.search(text):
        return False
    if INFORMS.search(text) and not RESTARTS.search(text):
        return False
    if WITHIN.search(text) and not GONE.search(text):
        return False
    return not CALM.search(text) and not NEIGHBOURS.search(text)


def is_calm(text: str) -> bool:
    """Tell what soothes, what a daemon only informs of, and what daemons say that no job depends on."""
    return bool(CALM.search(text) or INFORMS.search(text) or NEIGHBOURS.search(text))
