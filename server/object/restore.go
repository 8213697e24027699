package object

import "holt/server/id"

type survey struct{}

func (h *Host) unsettled(oid id.OID, hd *head) bool                       { return hd.Life < h.self.Life }
func (h *Host) surveyHost(host id.GWID)                                   {}
func (h *Host) carryOutSurvey(from id.GWID, b *Survey, answer func(Body)) {}
